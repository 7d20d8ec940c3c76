// Sends the cause of each 500 and 503 to Sentry, and errors that hooks throw.
import * as Sentry from '@sentry/node'
import type { ErrorContext } from 'pet-adoption-service'

Sentry.init({ dsn: process.env.SENTRY_DSN })
process.once('beforeExit', () => Sentry.close(2_000)) // flushes pending events

/** Sends an error with the IDs of its request. Bodies and API keys are not sent. */
export function onError(cause: unknown, { requestId, operation, caller }: ErrorContext): void {
  Sentry.captureException(cause, { tags: { request_id: requestId, operation, caller } })
}

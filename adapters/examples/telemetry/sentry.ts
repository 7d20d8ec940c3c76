// Errors of the service in Sentry: the cause of each 500 and 503, and what a hook throws.
import * as Sentry from '@sentry/node'
import type { ErrorContext } from 'pet-adoption-service'

Sentry.init({ dsn: process.env.SENTRY_DSN })
process.once('beforeExit', () => Sentry.close(2_000)) // sends the last errors

/** Sends the cause with the ids of its request. It has no body and no key. */
export function onError(cause: unknown, { requestId, operation, caller }: ErrorContext): void {
  Sentry.captureException(cause, { tags: { request_id: requestId, operation, caller } })
}

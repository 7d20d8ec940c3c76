import { createCorsHeaders } from '../http/cors.ts'
import { ApiError } from '../http/errors.ts'
import type { ServiceResponse } from '../http/http.ts'
import type { Result } from '../http/result.ts'
import type { Decision } from '../limits/bucket.ts'
import { createRateLimitHeaders } from '../limits/headers.ts'
import { createDeprecationFields } from '../operations/deprecation.ts'
import { operations } from '../operations/index.ts'
import type { Hooks } from './hooks.ts'
import type { ServiceSettings } from './options.ts'
import type { RequestState } from './request-state.ts'

/** Headers of every response of the service. */
const secureHeaders = ['Cache-Control', 'no-store', 'X-Content-Type-Options', 'nosniff'] as const

/**
 * Creates the function that builds the response to a request from its result and the decision of the limiter, and
 * reports it to `onResponse`.
 */
export function createRespond(
  { basePath, cors, deprecatedSince }: ServiceSettings,
  hooks: Hooks,
): (state: RequestState, result: Result, decision: Decision) => ServiceResponse {
  const deprecation = new Map(
    operations.map((operation) => [
      operation,
      createDeprecationFields(operation, basePath, deprecatedSince).flat(),
    ]),
  )

  return (state, result, decision) => {
    const operation = state.route?.operation
    const isError = result instanceof ApiError
    const body = isError ? result.toJson() : result.body
    const rawHeaders = createCommonHeaders(state, decision, cors)
    if (body !== undefined) rawHeaders.push('Content-Type', 'application/json')
    rawHeaders.push(...result.rawHeaders)
    if (operation?.deprecated) rawHeaders.push(...(deprecation.get(operation) ?? []))
    hooks.notify(state, result, decision)
    return { status: result.status, rawHeaders, body, bodyBytes: isError ? undefined : result.bodyBytes }
  }
}

/** Returns the headers that every response to a request needs. `cors` is the option. */
export function createCommonHeaders(
  { request, requestId }: RequestState,
  decision: Decision,
  cors: readonly string[],
): string[] {
  const headers = createRateLimitHeaders(decision)
  headers.push(...secureHeaders)
  if (cors.length > 0) headers.push(...createCorsHeaders(cors, request))
  if (requestId !== undefined) headers.push('X-Request-Id', requestId)
  return headers
}

/**
 * Returns the 500 of a request whose response cannot be created or written. It uses no part of the service or of the
 * request, since each of them may be the cause.
 *
 * @param rateLimit The rate-limit headers.
 */
export function createPlainInternalError(rateLimit: readonly string[]): ServiceResponse {
  const error = new ApiError('internal_error')
  const rawHeaders = [...rateLimit, ...secureHeaders, 'Content-Type', 'application/json']
  return { status: error.status, rawHeaders, body: error.toJson() }
}

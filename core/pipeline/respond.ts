import type { Cors } from '../http/cors.ts'
import { ApiError } from '../http/errors.ts'
import type { ServiceResponse } from '../http/http.ts'
import type { Result } from '../http/result.ts'
import type { Decision } from '../limits/bucket.ts'
import { createRateLimitHeaders } from '../limits/headers.ts'
import { createDeprecationHeaders } from '../operations/deprecation.ts'
import { operations } from '../operations/index.ts'
import type { Hooks } from './hooks.ts'
import type { ServiceSettings } from './options.ts'
import type { RequestState } from './request-state.ts'

const securityHeaders = ['Cache-Control', 'no-store', 'X-Content-Type-Options', 'nosniff'] as const

/** Creates the function that turns a result into a response and calls `onResponse`. */
export function createResponder(
  { basePath, cors, deprecatedSince }: ServiceSettings,
  hooks: Hooks,
): (state: RequestState, result: Result, decision: Decision) => ServiceResponse {
  const deprecation = new Map(
    operations.map((operation) => [
      operation,
      createDeprecationHeaders(operation, basePath, deprecatedSince).flat(),
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
    hooks.notifyResponse(state, result, decision)
    return { status: result.status, rawHeaders, body, bodyBytes: isError ? undefined : result.bodyBytes }
  }
}

/** Creates the headers that every response has. */
export function createCommonHeaders(
  { request, requestId }: RequestState,
  decision: Decision,
  cors: Cors | undefined,
): string[] {
  const headers = createRateLimitHeaders(decision)
  headers.push(...securityHeaders)
  if (cors) headers.push(...cors.createHeaders(request))
  if (requestId !== undefined) headers.push('X-Request-Id', requestId)
  return headers
}

/**
 * Creates a 500 if a response cannot be created or sent. It uses no other parts, because any part may be the cause.
 *
 * @param rateLimit - The rate limit headers.
 */
export function createPlainInternalError(rateLimit: readonly string[]): ServiceResponse {
  const error = new ApiError('internal_error')
  const rawHeaders = [...rateLimit, ...securityHeaders, 'Content-Type', 'application/json']
  return { status: error.status, rawHeaders, body: error.toJson() }
}

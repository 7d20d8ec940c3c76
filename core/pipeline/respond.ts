import { corsHeaders } from '../http/cors.ts'
import { deprecationFields } from '../http/deprecation.ts'
import { ApiError } from '../http/errors.ts'
import type { ServiceResponse } from '../http/http.ts'
import { operations } from '../http/operations.ts'
import type { Decision } from '../limits/bucket.ts'
import { rateLimitHeaders } from '../limits/headers.ts'
import type { Exchange, Result } from './exchange.ts'
import type { Hooks } from './hooks.ts'
import { Notice } from './notice.ts'
import type { Settings } from './options.ts'

/** Builds the response of an exchange from its result and the numbers of its rate limit. */
export type Respond = (exchange: Exchange, result: Result, decision: Decision) => ServiceResponse

/** Creates the function that builds every response of a service, and reports it to `onResponse`. */
export function createRespond(settings: Settings, hooks: Hooks): Respond {
  const { basePath, cors, deprecatedSince, readClient } = settings
  const deprecation = new Map(
    operations.map((operation) => [
      operation,
      deprecationFields(operation, basePath, deprecatedSince).flat(),
    ]),
  )

  return (exchange, result, decision) => {
    const { route } = exchange
    const isError = result instanceof ApiError
    const body = isError ? result.toJson() : result.body
    const headers = commonHeaders(exchange, decision, cors)
    if (body !== undefined) headers.push('Content-Type', 'application/json')
    headers.push(...result.headers)
    if (route?.operation?.deprecated) headers.push(...(deprecation.get(route.operation) ?? []))
    if (hooks.notifies) hooks.notify(new Notice(exchange, result, decision, readClient))
    return { status: result.status, headers, body, bodyBytes: isError ? undefined : result.bodyBytes }
  }
}

/** Returns the headers that every response to a request needs, names and values in turn. `cors` is the option. */
export function commonHeaders(
  { request, requestId }: Exchange,
  decision: Decision,
  cors: readonly string[],
): string[] {
  const headers = rateLimitHeaders(decision)
  headers.push('Cache-Control', 'no-store', 'X-Content-Type-Options', 'nosniff')
  if (cors.length > 0) headers.push(...corsHeaders(cors, request))
  if (requestId !== undefined) headers.push('X-Request-Id', requestId)
  return headers
}

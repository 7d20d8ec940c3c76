import { corsHeaders } from './cors.ts'
import { deprecationHeaders } from './deprecation.ts'
import { ApiError } from './errors.ts'
import type { Exchange, Result } from './exchange.ts'
import type { Hooks } from './hooks.ts'
import type { ServiceResponse } from './http.ts'
import type { Decision } from './limits/bucket.ts'
import { rateLimitHeaders } from './limits/headers.ts'
import { operations } from './operations.ts'
import type { Settings } from './options.ts'

/** Builds the response of an exchange from its result and the numbers of its rate limit. */
export type Respond = (exchange: Exchange, result: Result, decision: Decision) => ServiceResponse

/** Creates the function that builds every response of a service, and reports it to `onResponse`. */
export function createRespond(settings: Settings, hooks: Hooks): Respond {
  const { basePath, cors, deprecatedSince, readClient } = settings
  const deprecation = new Map(
    operations.map((operation) => [operation, deprecationHeaders(operation, basePath, deprecatedSince)]),
  )

  return (exchange, result, decision) => {
    const { request, requestId, route } = exchange
    const body = result instanceof ApiError ? result.toJson() : result.body
    const headers = rateLimitHeaders(decision)
    headers.push('Cache-Control', 'no-store', 'X-Content-Type-Options', 'nosniff')
    if (body !== undefined) headers.push('Content-Type', 'application/json')
    headers.push(...result.headers)
    if (cors.length > 0) headers.push(...corsHeaders(cors, request))
    if (route?.operation?.deprecated) headers.push(...(deprecation.get(route.operation) ?? []))
    if (requestId !== undefined) headers.push('X-Request-Id', requestId)
    if (hooks.notifies) {
      hooks.notify({
        operation: route?.operation?.id,
        method: request.method === '' ? undefined : request.method,
        status: result.status,
        code: result instanceof ApiError ? result.code : undefined,
        durationMs: performance.now() - exchange.startedAt,
        caller: exchange.caller?.id,
        get client() {
          return exchange.address ?? readClient(request)
        },
        decision,
        requestId,
      })
    }
    return { status: result.status, headers, body }
  }
}

import { type Call, callHook, createRequestGate } from './gate.ts'
import { findLink } from './links.ts'
import type { ResolvedOptions } from './options.ts'
import { type PetApiError, parseTime, type ReadResponse, readBody, toError } from './responses.ts'
import type { DeprecationEvent } from './types.ts'
import { withTimeout } from './with-timeout.ts'

/** A request to the API. */
export interface ApiRequest {
  readonly operation: DeprecationEvent['operation']
  readonly url: string
  readonly signal?: AbortSignal | undefined
  /** The JSON body. A request with a body is a POST. */
  readonly body?: string
  readonly idempotencyKey?: string | undefined
}

/** Creates the function that sends all requests for a client. */
export function createSender(options: ResolvedOptions): (request: ApiRequest) => Promise<ReadResponse> {
  const gate = createRequestGate(options)
  const reportedOperations = new Set<string>()

  function reportDeprecation(read: ReadResponse): void {
    const {
      operation,
      response: { headers },
    } = read
    if (reportedOperations.has(operation) || !(headers.has('Deprecation') || headers.has('Sunset'))) return
    reportedOperations.add(operation)
    const time = parseTime(headers, 'Sunset')
    callHook(options.onDeprecation, {
      operation,
      removal: time ? new Date(time) : undefined,
      link: findLink(read, 'successor-version|deprecation|sunset'),
    })
  }

  return async (request) => {
    const { url, body, idempotencyKey, signal } = request
    const queuedCall: Call = { signal, remainingWaitMs: options.maxWaitMs, waitCount: 0 }
    for (let retries = 0; ; ) {
      const generation = await gate.enter(queuedCall)
      let isSent = false
      let read: ReadResponse | undefined
      let error: unknown
      try {
        read = await withTimeout(options.timeoutMs, signal, async (abortSignal) => {
          const { apiKey, fetch } = options // in browsers, `fetch` must not be called as a method
          const init: RequestInit = {
            ...(body && { method: 'POST', body }),
            headers: {
              Authorization: `Bearer ${apiKey}`,
              Accept: 'application/json',
              ...(body && { 'Content-Type': 'application/json' }),
              ...(idempotencyKey && { 'Idempotency-Key': idempotencyKey }),
            },
            redirect: 'manual',
            signal: abortSignal,
          }
          new Request(url, init) // throws for an invalid header, because errors from `fetch` would be retried
          isSent = true
          const response = await fetch(url, init)
          return { ...request, response, chunks: await readBody(response), now: options.wallClock(), apiKey }
        })
        reportDeprecation(read)
        if (read.response.status !== (body ? 201 : 200)) error = toError(read)
      } catch (cause) {
        error = cause
      }
      const { code, retryAfterMs }: Partial<PetApiError> = Object(error)
      const response = read?.response
      const status = response?.status // not `error.status`: an error from `fetch` may have a status too
      const waitMs = computeRetryWaitMs(retryAfterMs, queuedCall.waitCount, options.random)
      gate.leave(queuedCall, generation, response, error, waitMs)
      signal?.throwIfAborted()
      if (read && !error) return read
      if (status === 429) continue // the next `gate.enter()` waits
      const isKeyInUse = code === 'idempotency_key_in_use'
      const isRetryable = response ? [502, 503, 504].includes(response.status) : isSent
      const canResend = !body || idempotencyKey || (retryAfterMs && status === 503)
      if (!isKeyInUse && !(isRetryable && canResend && retries++ < options.maxRetries)) throw error
      await gate.waitForRetry(queuedCall, waitMs, error)
    }
  }
}

/**
 * Returns how long to wait before a retry, in milliseconds. `Retry-After` is extended by up to 10 % at random, at most
 * 5 s. Without the header, the wait is exponential backoff with full jitter. `n` counts earlier waits. The wait is at
 * least 1 ms, so the call runs out of time eventually.
 */
function computeRetryWaitMs(retryAfterMs: number | undefined, n: number, random: () => number): number {
  if (retryAfterMs) return Math.ceil(retryAfterMs + random() * Math.min(retryAfterMs / 10, 5_000))
  return Math.ceil(Math.max(random(), 0.001) * Math.min(60_000, 1_000 * 2 ** n))
}

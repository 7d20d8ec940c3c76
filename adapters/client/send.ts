import { type Call, callHook, createGate } from './gate.ts'
import type { ResolvedOptions } from './options.ts'
import {
  findLink,
  PetApiError,
  parseRetryAfter,
  parseTime,
  type ReadResponse,
  readBody,
  toError,
} from './responses.ts'
import type { DeprecationEvent } from './types.ts'
import { withTimeout } from './with-timeout.ts'

/** A request of an operation. */
export interface ApiRequest {
  readonly operation: DeprecationEvent['operation']
  readonly url: string
  readonly signal?: AbortSignal
  /** The body of a creation. Any other request is a GET. */
  readonly body?: string
  readonly idempotencyKey?: string | undefined
}

/** Creates the function that sends each request of a client as often as the interface and the options allow. */
export function createSend(options: ResolvedOptions): (request: ApiRequest) => Promise<ReadResponse> {
  const gate = createGate(options)
  const deprecated = new Set<string>()
  const conceal = (text: string) => text.replaceAll(options.apiKey, '***')

  function noteDeprecation(read: ReadResponse): void {
    const { operation, response } = read
    const { headers } = response
    if (deprecated.has(operation) || !(headers.has('Deprecation') || headers.has('Sunset'))) return
    deprecated.add(operation)
    const time = parseTime(headers, 'Sunset')
    const removal = time ? new Date(time) : undefined
    const link = findLink(read, 'successor-version|deprecation|sunset')
    callHook(options.onDeprecation, { operation, removal, link: link && conceal(link) })
  }

  return async (request) => {
    const { url, body, idempotencyKey, signal } = request
    const call: Call = { signal, leftMs: options.maxWaitMs, waits: 0 }
    const isRepeatable = !body || idempotencyKey
    for (let retries = 0; ; ) {
      const pass = await gate.enter(call)
      let isLost = false // true on the network: to repeat what fails elsewhere would not help
      let read: ReadResponse | undefined
      let error: unknown
      try {
        read = await withTimeout(options.timeoutMs, signal, async (ended) => {
          const { fetch } = options // that of a browser accepts no other `this`
          const sent = new Request(url, {
            ...(body && { method: 'POST', body }),
            headers: {
              Authorization: `Bearer ${options.apiKey}`,
              Accept: 'application/json',
              ...(body && { 'Content-Type': 'application/json' }),
              ...(idempotencyKey && { 'Idempotency-Key': idempotencyKey }),
            },
            redirect: 'manual',
            signal: ended,
          })
          isLost = true
          const response = await fetch(sent)
          isLost = false
          const retryAfterMs = parseRetryAfter(response.headers, options.wallClock())
          const reader = response.body?.getReader()
          isLost = true
          const chunks = await readBody(reader)
          return { ...request, response, chunks, retryAfterMs, conceal }
        })
        isLost = false
        noteDeprecation(read)
        if (read.response.status !== (body ? 201 : 200)) error = toError(read)
      } catch (cause) {
        error = cause
      }
      const { status = 0, code, retryAfterMs } = error instanceof PetApiError ? error : {}
      const waitMs = chooseWait(retryAfterMs, call.waits, options.random)
      gate.leave(call, pass, read?.response, error, waitMs)
      signal?.throwIfAborted()
      if (read && !error) return read
      if (status === 429) continue // the gate waits
      const isInUse = status === 409 && code === 'idempotency_key_in_use'
      const isUnavailable = isLost || [502, 503, 504].includes(status)
      const mayRepeat = isRepeatable || (status === 503 && retryAfterMs)
      if (!isInUse && !(isUnavailable && mayRepeat && retries++ < options.maxRetries)) throw error
      await gate.wait(call, waitMs, error)
    }
  }
}

/**
 * Returns the time until the next attempt, in whole milliseconds: `Retry-After` and up to 10 % of it, at most 5 s, or
 * without it exponential backoff with full jitter. `n` counts the waits of a call, from 0. No wait is 0, so the waits of a
 * call come to an end.
 */
function chooseWait(retryAfterMs: number | undefined, n: number, random: () => number): number {
  if (retryAfterMs) return Math.ceil(retryAfterMs + random() * Math.min(retryAfterMs / 10, 5_000))
  return Math.ceil(Math.max(random(), 0.001) * Math.min(60_000, 1_000 * 2 ** n))
}

import { type Call, Gate, tell } from './gate.ts'
import { errorOf, linkOf, PetApiError, type Reply, readBody, timeOf } from './responses.ts'
import type { DeprecationEvent, PetClientOptions } from './types.ts'
import { withTimeout } from './with-timeout.ts'

/** A request of an operation. */
export interface ApiRequest {
  readonly operation: DeprecationEvent['operation']
  readonly url: string
  readonly signal?: AbortSignal
  readonly timeoutMs?: number
  /** The body of a creation; any other request is a GET. */
  readonly body?: string
  readonly idempotencyKey?: string | undefined
}

/** Creates the function that sends the requests of a client, each as often as section 7 and the options allow. */
export function createSend(options: Required<PetClientOptions>): (request: ApiRequest) => Promise<Reply> {
  const gate = new Gate(options)
  const deprecated = new Set<string>()
  const conceal = (text: string) => text.replaceAll(options.apiKey, '***')

  /** Sends a request once, and reads the response. */
  async function exchange(request: ApiRequest, signal: AbortSignal): Promise<Reply> {
    const { operation, url, body = null, idempotencyKey } = request
    const headers = new Headers({ Accept: 'application/json', Authorization: `Bearer ${options.apiKey}` })
    if (body) headers.set('Content-Type', 'application/json')
    if (idempotencyKey) headers.set('Idempotency-Key', idempotencyKey)
    const init: RequestInit = { method: body ? 'POST' : 'GET', headers, body, redirect: 'manual', signal }
    const { fetch } = options // a browser's wants no other `this`
    const response = await fetch(new Request(url, init))
    return { operation, url, response, body: await readBody(response), receivedAt: options.clock(), conceal }
  }

  function noteDeprecation(reply: Reply): void {
    const { operation, response } = reply
    if (deprecated.has(operation) || !['Deprecation', 'Sunset'].some((name) => response.headers.has(name)))
      return
    deprecated.add(operation)
    const time = timeOf(response.headers, 'Sunset')
    const removal = Number.isNaN(time) ? undefined : new Date(time)
    const link = linkOf(reply, 'successor-version|deprecation|sunset')
    tell(options.onDeprecation, { operation, removal, link: link && conceal(link) })
  }

  return async (request) => {
    const { signal, timeoutMs = options.timeoutMs } = request
    const call: Call = { signal, leftMs: options.maxWaitMs, waits: 0 }
    const isRepeatable = !request.body || request.idempotencyKey !== undefined
    for (let retries = 0; ; ) {
      const pass = await gate.enter(call)
      let reply: Reply | undefined
      let error: unknown
      try {
        reply = await withTimeout(timeoutMs, signal, (ended) => exchange(request, ended))
        noteDeprecation(reply)
        if (reply.response.status !== (request.body ? 201 : 200)) error = errorOf(reply)
      } catch (cause) {
        error = cause
      }
      const { status = 0, code, retryAfterMs } = error instanceof PetApiError ? error : {}
      const ms = waitMs(retryAfterMs, call.waits, options.random)
      if (status === 429) gate.close(error as PetApiError, ms)
      gate.leave(pass, reply?.response)
      signal?.throwIfAborted()
      if (reply && !error) return reply
      if (status === 429) continue // the gate waits
      const isInUse = status === 409 && code === 'idempotency_key_in_use'
      const isAway = !reply || [502, 503, 504].includes(status)
      const mayRepeat = isRepeatable || (status === 503 && retryAfterMs !== undefined)
      if (!isInUse && !(isAway && mayRepeat && retries++ < options.maxRetries)) throw error
      await gate.wait(call, ms, error)
    }
  }
}

/**
 * Returns how long to wait, in whole milliseconds: what the server told and up to a tenth of it, at most five seconds;
 * or, if it told nothing, exponential backoff with full jitter. `n` counts the waits of a call, from 0. No wait is 0,
 * so that the waits of a call come to an end.
 */
function waitMs(toldMs: number | undefined, n: number, random: () => number): number {
  if (toldMs !== undefined) return Math.ceil(toldMs + random() * Math.min(toldMs / 10, 5_000))
  return Math.ceil(Math.max(random(), 0.001) * Math.min(60_000, 1_000 * 2 ** n))
}

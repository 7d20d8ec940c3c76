import type { ResolvedOptions } from './options.ts'
import { computeWaitMs, parseNumber } from './responses.ts'
import type { RetryEvent } from './types.ts'
import { createTimeoutError, withTimeout } from './with-timeout.ts'

/** One call to a client method, including its retries. */
export interface Call {
  readonly signal: AbortSignal | undefined
  /** How long the call may still wait, in milliseconds. */
  remainingWaitMs: number
  /** How many times the call has waited, for the rate limit or before a retry. */
  waitCount: number
}

/** Maximum number of requests in flight. A burst this large never causes a ban, which takes 100 rejections. */
const maxInFlight = 50
/** Time between two checks by a queued call, in milliseconds, for each round of calls ahead in the queue. */
const roundMs = 10
/** Maximum number of rounds that make a queued call's pause longer. The pause is at most 260 ms. */
const maxRounds = 25
/**
 * Maximum delay of a queued call's check, in milliseconds. A call that checks later loses its place, so that a call
 * whose timer never runs cannot block the queue.
 */
const graceMs = 2_000

/**
 * Decides when a client may send its next request. The gate limits the requests in flight, and follows the rate limit
 * headers.
 */
export interface Gate {
  /**
   * Waits until a request may be sent, and returns the current generation for {@link leave}. Rejects if the wait would
   * exceed the call's maximum.
   */
  enter(call: Call): Promise<number>
  /** Waits before a retry. Throws `cause` if the wait would exceed the call's maximum. */
  waitForRetry(call: Call, waitMs: number, cause: unknown): Promise<void>
  /**
   * Records that a request has ended. After a 429, all calls wait for `waitMs`. Calls that cannot wait that long reject
   * with `error`. Then one request at a time is sent until a response allows more. Any other response adjusts the gate
   * by its rate limit headers.
   */
  leave(call: Call, generation: number, response: Response | undefined, error: unknown, waitMs: number): void
}

/**
 * Creates the gate for one client.
 *
 * Each call waits on its own timers only, because Workers cancel a request that awaits a promise from another request.
 * Workers may also cancel a request silently, so a queued call loses its place when it stops checking.
 */
export function createRequestGate({
  waitForReset,
  clock: getNow,
  wallClock,
  sleep,
  onRetry,
  timeoutMs,
}: ResolvedOptions): Gate {
  /** The latest 429 as an error, and the time until which requests would be rejected. */
  let rejection: unknown
  let rejectedUntil = 0
  /** When the rate limit resets, if a response reported that no requests remain. */
  let exhaustedUntil = 0
  /**
   * How many requests may be in flight. If it is 0, one request may still be sent. The rate limit headers adjust this
   * number: from the first response with `waitForReset`, otherwise from the first 429.
   */
  let maxConcurrent = waitForReset ? 1 : maxInFlight
  /**
   * Increases whenever `maxConcurrent` decreases. Responses to requests from an earlier generation are out of date, so
   * they cannot increase `maxConcurrent`.
   */
  let generation = 0
  /** Calls in flight and in the queue, in order. The value is the time when the call loses its place. */
  const calls = new Map<Call, number>()

  /** Returns whether the rate limit headers are in effect. */
  const isLimited = () => waitForReset || maxConcurrent < maxInFlight

  const pauseCall = (call: Call, ms: number) =>
    withTimeout(Infinity, call.signal, (signal) => sleep(ms, signal))

  async function waitForRetry(call: Call, waitMs: number, cause: unknown): Promise<void> {
    if (waitMs > call.remainingWaitMs) throw cause
    call.remainingWaitMs -= waitMs
    callHook<RetryEvent>(onRetry, { attempt: ++call.waitCount, waitMs, status: Object(cause).status, cause })
    await pauseCall(call, waitMs)
  }

  /**
   * Waits in the queue for `ms`. While the rate limit headers are in effect, this uses up the time that the call may
   * wait.
   */
  async function waitInQueue(call: Call, ms: number, since: number): Promise<void> {
    const leftMs = isLimited() ? call.remainingWaitMs : Infinity
    if (leftMs <= 0) throw rejection ?? createTimeoutError('the wait exceeds options.maxWaitMs')
    const pauseMs = Math.min(ms, leftMs)
    await pauseCall(call, pauseMs)
    // A custom `sleep` may return early. A real timer prevents a busy loop.
    if (getNow() - since < pauseMs) await new Promise((resolve) => setTimeout(resolve, pauseMs))
    if (isLimited()) call.remainingWaitMs -= Math.max(pauseMs, getNow() - since)
  }

  /**
   * Adjusts `maxConcurrent` to a response's rate limit headers. Without the headers, a successful response removes the
   * limit.
   */
  function applyLimitHeaders(callGeneration: number, { ok, headers }: Response): void {
    const remainingRequests = parseNumber(headers, 'X-RateLimit-Remaining', ok ? maxInFlight : undefined)
    if (remainingRequests < maxConcurrent) generation++
    else if (callGeneration !== generation || !(remainingRequests >= 0)) return
    maxConcurrent = Math.min(remainingRequests, maxInFlight)
    if (maxConcurrent > 0) return
    const resetMs = parseNumber(headers, 'X-RateLimit-Reset') * 1_000
    exhaustedUntil = getNow() + computeWaitMs(resetMs, headers, wallClock()) || 0
  }

  return {
    waitForRetry,

    async enter(call) {
      try {
        for (let waitedUntil = 0; ; ) {
          const nowMs = getNow()
          const canWaitForReset = Math.ceil(exhaustedUntil - nowMs) <= call.remainingWaitMs // if not, try now: the limit may have reset
          const waitUntilMs = Math.max(rejectedUntil, canWaitForReset ? exhaustedUntil : 0)
          const concurrentSlots = Math.max(1, maxConcurrent)
          if (waitUntilMs > Math.max(nowMs, waitedUntil)) {
            waitedUntil = waitUntilMs // a custom `sleep` may return early, but the call waits only once
            calls.delete(call)
            await waitForRetry(
              call,
              Math.ceil(waitUntilMs - nowMs),
              rejectedUntil > nowMs ? rejection : undefined,
            )
          } else {
            let ahead = 0 // how many calls are ahead in the queue
            for (const [other, expiresAt] of calls) {
              if (other === call || ahead === concurrentSlots * maxRounds) break
              if (expiresAt < nowMs) calls.delete(other)
              else ahead++
            }
            const waitLimitMs =
              ahead < concurrentSlots ? timeoutMs : roundMs * Math.ceil((ahead + 1) / concurrentSlots)
            calls.set(call, nowMs + waitLimitMs + graceMs)
            if (ahead < concurrentSlots) return generation
            await waitInQueue(call, waitLimitMs, nowMs)
          }
        }
      } catch (cause) {
        calls.delete(call)
        throw cause
      }
    },

    leave(call, callGeneration, response, error, waitMs) {
      calls.delete(call)
      if (response?.status === 429) {
        rejection = error
        rejectedUntil = Math.max(rejectedUntil, getNow() + waitMs)
        maxConcurrent = 0
        generation++
      } else if (response && isLimited()) applyLimitHeaders(callGeneration, response)
    },
  }
}

/** Calls a hook without waiting for it. Errors are ignored. */
export function callHook<Event>(hook: (event: Event) => unknown, event: Event): void {
  const callAsync = async () => hook(event)
  callAsync().catch(() => {})
}

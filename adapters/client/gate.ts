import type { ResolvedOptions } from './options.ts'
import { computeWaitMs, PetApiError, parseNumber } from './responses.ts'
import type { RetryEvent } from './types.ts'
import { createTimeoutError, withTimeout } from './with-timeout.ts'

/** The waits of one request. */
export interface Call {
  readonly signal: AbortSignal | undefined
  /** Time that is left for waits, in milliseconds. */
  leftMs: number
  /** Number of waits so far. */
  waits: number
}

/** Maximum number of requests of a client in flight: a burst never gets the hundredth 429, which is a ban. */
const maxInFlight = 50
/** Shortest interval of the polls for a place, in milliseconds; a call far back in the queue polls less often. */
const pollMs = 10
/** Longest interval of the polls, as a multiple of the shortest one. */
const maxPolls = 25
/** Time after which a call without a sign of life loses its place, in milliseconds. */
const graceMs = 2_000

/** Lets the requests of one client leave as the responses allow. */
export interface Gate {
  /** Waits until a request may be sent. Resolves with a pass for `leave`. */
  enter(call: Call): Promise<number>
  /** Waits for a number of milliseconds. Throws the cause if that is longer than the call may wait. */
  wait(call: Call, waitMs: number, cause: unknown): Promise<void>
  /**
   * Frees the place of a call. Its response, if there is one, shows how many requests may leave. After a 429, none may for
   * a number of milliseconds, then one at a time until a response shows that more may.
   */
  leave(call: Call, pass: number, response: Response | undefined, error: unknown, waitMs: number): void
}

/**
 * Creates a gate. A call only awaits its own timers, because a Worker ends a request that touches a signal or a promise
 * of another. A request of a Worker can also end without a notice, and its calls with it. Times are in milliseconds.
 */
export function createGate({
  pace,
  now: getNow,
  wallClock,
  sleep,
  onRetry,
  timeoutMs,
}: ResolvedOptions): Gate {
  /** The error of the last 429, and the end of its wait. */
  let rejection: unknown
  let closedUntil = 0
  /** With `pace`, the time when requests remain again. */
  let heldUntil = 0
  /** Number of requests that may be in flight. With 0, one may. */
  let room = pace ? 1 : maxInFlight
  /** Number of times that the room became smaller. A response to an earlier request does not make it larger. */
  let generation = 0
  /**
   * Calls in flight and in the queue, in the order of their arrival. The values are the times when they stop counting.
   */
  const calls = new Map<Call, number>()

  /** Returns whether responses limit the calls, and not only their number. */
  const isLimited = () => pace || room < maxInFlight

  const pause = (call: Call, ms: number) => withTimeout(Infinity, call.signal, (signal) => sleep(ms, signal))

  async function wait(call: Call, waitMs: number, cause: unknown): Promise<void> {
    if (waitMs > call.leftMs) throw cause
    call.leftMs -= waitMs
    const status = cause instanceof PetApiError ? cause.status : undefined
    callHook<RetryEvent>(onRetry, { attempt: ++call.waits, waitMs, status, cause })
    await pause(call, waitMs)
  }

  /** Waits in the queue. The wait uses up the time of the call if responses are the reason. */
  async function poll(call: Call, ms: number, since: number): Promise<void> {
    const leftMs = isLimited() ? call.leftMs : Infinity
    if (leftMs <= 0) throw rejection ?? createTimeoutError(0)
    const pauseMs = Math.min(ms, leftMs)
    await pause(call, pauseMs)
    // A `sleep` of a test may end immediately: without a timer, the loop would never yield
    if (getNow() - since < pauseMs) await new Promise((resolve) => setTimeout(resolve, pauseMs))
    if (isLimited()) call.leftMs -= Math.max(pauseMs, getNow() - since)
  }

  /** Makes room as a response shows. A success without `X-RateLimit-Remaining` makes room for all. */
  function follow(pass: number, { ok, headers }: Response): void {
    const remaining = parseNumber(headers, 'X-RateLimit-Remaining', ok ? maxInFlight : undefined)
    if (remaining < room) generation++
    else if (pass !== generation || !(remaining >= 0)) return
    room = Math.min(remaining, maxInFlight)
    if (room > 0) return
    const resetMs = parseNumber(headers, 'X-RateLimit-Reset') * 1_000
    heldUntil = getNow() + computeWaitMs(resetMs, headers, wallClock()) || 0
  }

  return {
    wait,

    async enter(call) {
      try {
        for (let waitedUntil = 0; ; ) {
          const now = getNow()
          const mayHold = heldUntil - now <= call.leftMs // else the server decides
          const until = Math.max(closedUntil, mayHold ? heldUntil : 0)
          const places = Math.max(1, room)
          if (until > Math.max(now, waitedUntil)) {
            waitedUntil = until // a timer may end a millisecond early
            calls.delete(call)
            await wait(call, Math.ceil(until - now), closedUntil > now ? rejection : undefined)
          } else {
            let ahead = 0 // live calls ahead of this one, counted up to a bound
            for (const [other, expiresAt] of calls) {
              if (other === call || ahead === places * maxPolls) break
              if (expiresAt < now) calls.delete(other)
              else ahead++
            }
            const ms = ahead < places ? timeoutMs : pollMs * Math.ceil((ahead + 1) / places)
            calls.set(call, now + ms + graceMs)
            if (ahead < places) return generation
            await poll(call, ms, now)
          }
        }
      } catch (cause) {
        calls.delete(call)
        throw cause
      }
    },

    leave(call, pass, response, error, waitMs) {
      calls.delete(call)
      if (response?.status === 429) {
        rejection = error
        closedUntil = Math.max(closedUntil, getNow() + waitMs)
        room = 0
        generation++
      } else if (response && isLimited()) follow(pass, response)
    },
  }
}

/** Calls a hook. An error that it throws or rejects with changes nothing. */
export function callHook<Event>(hook: (event: Event) => unknown, event: Event): void {
  const call = async () => hook(event)
  call().catch(() => {})
}

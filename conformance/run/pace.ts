import type { Credential } from '../steps/step.ts'
import { wholeNumber } from '../transcript/rate-limits.ts'
import { header } from '../transcript/responses.ts'
import type { Outcome, ReceivedResponse, Wait } from '../transcript/transcript.ts'
import { readHttpDate } from '../transcript/waits.ts'

/** The clock of a run: measures and waits. */
export interface Clock {
  /** Returns Unix milliseconds, which never decrease within a run. */
  now(): number
  /**
   * Resolves after a delay in milliseconds.
   *
   * @param reason What the run waits for, for a display of its progress.
   * @param signal Ends the wait, so that no timer is left.
   */
  sleep(ms: number, reason?: string, signal?: AbortSignal): Promise<void>
}

/** The real clock. It does not go back when the system's clock is set back. */
export const realClock: Clock = {
  now: () => performance.timeOrigin + performance.now(),
  sleep: (ms, _reason, signal) =>
    new Promise((resolve) => {
      const timer = setTimeout(end, ms)
      function end(): void {
        clearTimeout(timer)
        signal?.removeEventListener('abort', end)
        resolve()
      }
      signal?.addEventListener('abort', end)
      if (signal?.aborted) end()
    }),
}

/** Returns a clock whose waits end as soon as a signal is aborted, also on a clock that ignores signals. */
export function interruptible(clock: Clock, signal: AbortSignal | undefined): Clock {
  if (signal === undefined) return clock
  const aborted = new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
  return {
    now: () => clock.now(),
    sleep: async (ms, reason) =>
      signal.aborted ? undefined : Promise.race([aborted, clock.sleep(ms, reason, signal)]),
  }
}

/** The pause between two requests, in milliseconds. */
const spacing = 10
/** A run waits so long for limits in all, in milliseconds, apart from those of the throttle key. */
export const mostWaited = 130_000
/** The longest `Retry-After` that is waited out, in seconds. */
const longestRetryAfter = 65
/** Added to the wait of a `Retry-After`, in milliseconds, as clocks and timers are not exact. */
const margin = 1000
/** The longest time until `Reset` that is waited for, in seconds: a minute, and one for what rounding adds. */
const longestReset = 61
/** When fewer requests remain, the run slows down to the rate at which the limit refills. */
const fewRemaining = 5
/** The longest pause between two requests while few remain, in milliseconds. */
const slowest = 1000

/** Decides when the next request is sent. */
export interface Pace {
  /** Waits before a request: for `--pace`, and for the limit of its credential. */
  beforeRequest(id: string, credential: Credential): Promise<void>
  /** Notes what a response tells of the limit of its credential. */
  afterResponse(credential: Credential, outcome: Outcome): void
  /**
   * Waits out the `Retry-After` of a 429, in seconds. Returns `false`, and does not wait, if it is missing or too long, if
   * a 429 was waited out before, or if the run has waited too long already.
   */
  waitOut(id: string, retryAfter: number | undefined): Promise<boolean>
  /** The waits so far, apart from the pauses between requests. */
  readonly waits: readonly Wait[]
}

/** The limit of a caller as its last response shows it. */
interface Standing {
  readonly remaining: number
  /** The longest pause after which one request more must be available, in milliseconds. */
  readonly refill: number
  /** When the limit resets, by the clock of the run. */
  readonly resetsAt: number
}

/** The callers that have a limit of their own. The burn of the throttle key is not slowed down. */
type Caller = 'key' | 'address'

/** Returns the pace of one run. */
export function createPace({ clock, pace }: { readonly clock: Clock; readonly pace?: number }): Pace {
  const interval = Math.max(spacing, pace === undefined ? 0 : 1000 / pace)
  const waits: Wait[] = []
  const standings = new Map<Caller, Standing>()
  /** Callers whose `Reset` came without a change of `Remaining`. */
  const misleading = new Set<Caller>()
  let waited = 0
  let lastSentAt: number | undefined
  let hasWaitedOut = false

  const wait = async (before: string, reason: Wait['reason'], ms: number, text: string): Promise<boolean> => {
    if (waited + ms > mostWaited) return false
    waited += ms
    waits.push({ before, reason, ms: Math.round(ms) })
    await clock.sleep(ms, text)
    return true
  }

  const waitForLimit = async (id: string, caller: Caller): Promise<void> => {
    const standing = standings.get(caller)
    if (standing === undefined || misleading.has(caller)) return
    const untilReset = standing.resetsAt - clock.now()
    if (untilReset <= 0 || untilReset > longestReset * 1000) return
    if (standing.remaining > 0) {
      const pause = Math.min(untilReset, standing.refill)
      if (waited + pause > mostWaited) return
      waited += pause
      await clock.sleep(pause)
    } else if (
      await wait(id, 'X-RateLimit-Remaining', untilReset, 'for X-RateLimit-Reset, as 0 requests remain')
    ) {
      misleading.add(caller)
    }
  }

  return {
    waits,
    async beforeRequest(id, credential) {
      const caller = callerOf(credential)
      if (caller !== undefined) await waitForLimit(id, caller)
      const pause =
        lastSentAt === undefined ? 0 : pace === undefined ? spacing : lastSentAt + interval - clock.now()
      if (pause > 0) await clock.sleep(pause)
      lastSentAt = clock.now()
    },
    afterResponse(credential, outcome) {
      const caller = callerOf(credential)
      if (caller === undefined || outcome.kind === 'error') return
      const standing = standingAfter(outcome.response, clock.now())
      if (standing === undefined) standings.delete(caller)
      else standings.set(caller, standing)
      if ((standing?.remaining ?? 1) > 0) misleading.delete(caller)
    },
    async waitOut(id, retryAfter) {
      if (hasWaitedOut || retryAfter === undefined || retryAfter > longestRetryAfter) return false
      hasWaitedOut = true
      // from then on the Retry-After counts, which may be shorter than the time until Reset
      standings.clear()
      return wait(id, 'Retry-After', retryAfter * 1000 + margin, 'for the Retry-After of a 429')
    },
  }
}

/** Returns whose limit a request counts for; `undefined` for the throttle key. */
function callerOf(credential: Credential): Caller | undefined {
  if (credential.startsWith('throttle-key')) return undefined
  return credential === 'key' || credential === 'key-other-case' ? 'key' : 'address'
}

/** Returns the limit that a response shows, if few requests remain of it. */
function standingAfter(response: ReceivedResponse, now: number): Standing | undefined {
  const [limit, remaining, reset] = ['limit', 'remaining', 'reset'].map((name) =>
    wholeNumber(header(response, `x-ratelimit-${name}`)),
  )
  if (limit === undefined || remaining === undefined || reset === undefined) return undefined
  if (remaining >= Math.min(fewRemaining, limit / 4) && remaining > 0) return undefined
  // by the clock of the server where it shows one, as the clocks may differ
  const date = readHttpDate(header(response, 'date') ?? '') ?? now
  return {
    remaining,
    refill: Math.min(slowest, 60_000 / Math.max(1, limit)),
    resetsAt: now + reset * 1000 - date,
  }
}

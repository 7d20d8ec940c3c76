import type { Credential } from '../steps/step.ts'
import { readLimitNumbers } from '../transcript/rate-limits.ts'
import type { Outcome, ReceivedResponse, Wait } from '../transcript/transcript.ts'
import { margin, readDate } from '../transcript/waits.ts'

/** The clock of a run: returns the time, measures and waits. */
export interface Clock {
  /** Returns the time in Unix milliseconds. */
  now(): number
  /** Returns milliseconds since any moment, for durations. They never decrease, but may stand still in standby. */
  elapsed(): number
  /**
   * Resolves after a delay in milliseconds.
   *
   * @param reason What the run waits for, for a display of its progress.
   * @param signal Ends the wait, so that no timer is left.
   */
  sleep(ms: number, reason?: string, signal?: AbortSignal): Promise<void>
}

/** Maximum delay of a timer, in milliseconds. A longer one would fire immediately. */
export const maxTimerMs: number = 2 ** 31 - 1

/** The real clock. */
export const realClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  async sleep(ms, _reason, signal) {
    for (let left = ms; left > 0 && !signal?.aborted; left -= maxTimerMs)
      await sleepOnce(Math.min(left, maxTimerMs), signal)
  },
}

function sleepOnce(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(end, ms)
    function end(): void {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      resolve()
    }
    signal?.addEventListener('abort', end)
  })
}

/** The pause between two requests, in milliseconds. */
const spacing = 10

/** Maximum total wait of a run for limits, in milliseconds, without the limits of the throttle key. */
export const mostWaited = 130_000
/** Maximum `Retry-After` that a run waits for, in seconds. */
const longestRetryAfter = 65
/** Maximum time until `Reset` that a run waits for, in seconds: a minute, and one second for rounding. */
const longestReset = 61

/** Decides when the next request is sent. */
export interface Pace {
  /** Waits before a request: for `--pace`, and for the limit of its credential. */
  beforeRequest(id: string, credential: Credential): Promise<void>
  /** Records the limit that a response shows for its credential. */
  afterResponse(credential: Credential, outcome: Outcome): void
  /**
   * Waits out the `Retry-After` of a 429, in seconds. Returns `false`, and does not wait, if it is missing or too long,
   * if a 429 was waited out before, or if the run has waited too long already.
   */
  waitOut(id: string, retryAfter: number | undefined): Promise<boolean>
  /** The waits so far, apart from the pauses between requests. */
  readonly waits: readonly Wait[]
}

/** The callers that have a limit of their own. The burn of the throttle key is not slowed down. */
type Caller = 'key' | 'address'

/** Returns the pace of one run. */
export function createPace({ clock, pace }: { readonly clock: Clock; readonly pace?: number }): Pace {
  const interval = pace === undefined ? 0 : 1000 / pace
  const waits: Wait[] = []
  /** The time the limit of a caller resets, by the clock of the run, if none of its requests remain. */
  const resets = new Map<Caller, number>()
  /** Callers whose `Reset` came without a change of `Remaining`. */
  const misleading = new Set<Caller>()
  let lastSentAt: number | undefined

  const wait = async (before: string, reason: Wait['reason'], ms: number, text: string): Promise<boolean> => {
    if (waits.reduce((sum, wait) => sum + wait.ms, ms) > mostWaited) return false
    waits.push({ before, reason, ms: Math.round(ms) })
    await clock.sleep(ms, text)
    return true
  }

  const waitForLimit = async (id: string, caller: Caller): Promise<void> => {
    const untilReset = (resets.get(caller) ?? 0) - clock.now()
    if (misleading.has(caller) || untilReset <= 0 || untilReset > longestReset * 1000) return
    const text = 'for X-RateLimit-Reset, as 0 requests remain'
    if (await wait(id, 'X-RateLimit-Remaining', untilReset, text)) misleading.add(caller)
  }

  return {
    waits,
    async beforeRequest(id, credential) {
      const caller = findCaller(credential)
      if (caller !== undefined) await waitForLimit(id, caller)
      if (lastSentAt !== undefined)
        await clock.sleep(Math.max(spacing, lastSentAt + interval - clock.elapsed()))
      lastSentAt = clock.elapsed()
    },
    afterResponse(credential, outcome) {
      const caller = findCaller(credential)
      if (caller === undefined || outcome.kind === 'error') return
      const reset = readReset(outcome.response, clock.now())
      if (reset !== undefined) return void resets.set(caller, reset)
      resets.delete(caller)
      misleading.delete(caller)
    },
    async waitOut(id, retryAfter) {
      const hasWaitedOut = waits.some(({ reason }) => reason === 'Retry-After')
      if (hasWaitedOut || retryAfter === undefined || retryAfter > longestRetryAfter) return false
      // from then on the Retry-After counts, which may be shorter than the time until Reset
      resets.clear()
      return wait(id, 'Retry-After', (retryAfter + margin) * 1000, 'for the Retry-After of a 429')
    },
  }
}

/** Returns whose limit a request counts for; `undefined` for the throttle key. */
function findCaller(credential: Credential): Caller | undefined {
  if (credential.startsWith('throttle-key')) return undefined
  return credential === 'key' || credential === 'key-other-case' ? 'key' : 'address'
}

/** Returns when the limit that a response shows resets, by the clock of the run; `undefined` if requests remain. */
function readReset(response: ReceivedResponse, now: number): number | undefined {
  const { remaining, reset } = readLimitNumbers({ response })
  if (remaining !== 0 || reset === undefined) return undefined
  // by the clock of the server if it shows one, as the clocks may differ
  return now + reset * 1000 - (readDate(response) ?? now)
}

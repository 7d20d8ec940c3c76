import type { Credential } from '../steps/step.ts'
import { pluralize } from '../transcript/printable.ts'
import { readLimitNumbers } from '../transcript/rate-limits.ts'
import type { Outcome, ReceivedResponse, Wait } from '../transcript/transcript.ts'
import { marginSeconds, readDate } from '../transcript/waits.ts'

/** A run's source of time, replaceable in tests. */
export interface Clock {
  /** Returns the current time, in milliseconds since the epoch. */
  now(): number
  /** Returns a monotonic time in milliseconds, for measuring durations. It may stop while the machine is suspended. */
  elapsed(): number
  /** Resolves after `ms`, or as soon as the signal is aborted. `reason` describes the wait to the user. */
  sleep(ms: number, reason?: string, signal?: AbortSignal): Promise<void>
}

/** Longest delay of `setTimeout`. A timer with a longer one fires immediately. */
export const maxTimerMs: number = 2 ** 31 - 1

/** The system's clock. */
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
    const timer = setTimeout(finishSleep, ms)
    function finishSleep(): void {
      clearTimeout(timer)
      signal?.removeEventListener('abort', finishSleep)
      resolve()
    }
    signal?.addEventListener('abort', finishSleep)
  })
}

/** Minimum pause between requests, in milliseconds. */
const minSpacingMs = 10

/**
 * Maximum time that a run waits for rate limits, in milliseconds. Waits for the throttle key's limit are not counted.
 */
export const maxTotalWaitMs = 130_000
/** Longest `Retry-After` that a run waits for, in seconds. */
const maxRetryAfterSeconds = 65
/** Longest time until `X-RateLimit-Reset` that a run waits for, in seconds: a minute, and one second for rounding. */
const maxResetSeconds = 61

/** Paces a run's requests so that they stay within the server's rate limits. */
export interface Pacer {
  /** Waits until the requests of step `id` may be sent. `count` is the number of parallel requests, 1 by default. */
  beforeRequest(id: string, credential: Credential, count?: number): Promise<void>
  /** Reads the rate-limit headers. If there are several responses, the one with the lowest `Remaining` counts. */
  afterResponse(credential: Credential, ...outcomes: readonly Outcome[]): void
  /**
   * Waits for the `Retry-After` of a 429, in seconds, at most once per run. Resolves to `true` if it has waited, so
   * that the request can be repeated.
   */
  waitForRetryAfter(id: string, retryAfter: number | undefined): Promise<boolean>
  /** The waits so far, without the pauses between requests. */
  readonly waits: readonly Wait[]
}

/** What the server counts a request against: the API key, or the client address if there is no valid key. */
type LimitScope = 'key' | 'address'

/** Creates a run's pacer. `pace` is the maximum number of requests per second, unlimited by default. */
export function createPacer({ clock, pace }: { readonly clock: Clock; readonly pace?: number }): Pacer {
  const intervalMs = pace === undefined ? 0 : 1000 / pace
  const waits: Wait[] = []
  const limitStates = new Map<LimitScope, LimitState>()
  /**
   * Limits whose reset the run has waited for. If no requests remain afterwards, `Reset` is wrong, and the run does not
   * wait again.
   */
  const waitedScopes = new Set<LimitScope>()
  let lastSentAt: number | undefined

  const waitAndRecord = async (
    before: string,
    reason: Wait['reason'],
    ms: number,
    text: string,
  ): Promise<boolean> => {
    if (waits.reduce((sum, wait) => sum + wait.ms, ms) > maxTotalWaitMs) return false
    waits.push({ before, reason, ms: Math.round(ms) })
    await clock.sleep(ms, text)
    return true
  }

  const waitForLimit = async (id: string, caller: LimitScope, count: number): Promise<void> => {
    const { remaining, resetsAt } = limitStates.get(caller) ?? { remaining: count, resetsAt: 0 }
    const untilReset = resetsAt - clock.now()
    if (remaining >= count || waitedScopes.has(caller)) return
    if (untilReset <= 0 || untilReset > maxResetSeconds * 1000) return
    const waitText = `for X-RateLimit-Reset, as ${pluralize(remaining, 'request')} remain${remaining === 1 ? 's' : ''}`
    if (await waitAndRecord(id, 'X-RateLimit-Remaining', untilReset, waitText)) waitedScopes.add(caller)
  }

  return {
    waits,
    async beforeRequest(id, credential, count = 1) {
      const caller = getLimitScope(credential)
      if (caller !== undefined) await waitForLimit(id, caller, count)
      if (lastSentAt !== undefined)
        await clock.sleep(Math.max(minSpacingMs, lastSentAt + intervalMs - clock.elapsed()))
      lastSentAt = clock.elapsed() + (count - 1) * intervalMs
    },
    afterResponse(credential, ...outcomes) {
      const caller = getLimitScope(credential)
      const responses = outcomes.flatMap(({ response = [] }) => response)
      if (caller === undefined || responses.length === 0) return
      const [lowest] = responses
        .flatMap((response) => readLimitState(response, clock.now()) ?? [])
        .toSorted((a, b) => a.remaining - b.remaining)
      if (lowest === undefined) limitStates.delete(caller)
      else limitStates.set(caller, lowest)
      if (lowest?.remaining !== 0) waitedScopes.delete(caller)
    },
    async waitForRetryAfter(id, retryAfter) {
      const hasWaitedOut = waits.some(({ reason }) => reason === 'Retry-After')
      if (hasWaitedOut || retryAfter === undefined || retryAfter > maxRetryAfterSeconds) return false
      const waitText = 'for the Retry-After time of a 429'
      const hasWaited = await waitAndRecord(id, 'Retry-After', (retryAfter + marginSeconds) * 1000, waitText)
      // `Retry-After` takes precedence over `Reset`, which may be later.
      if (hasWaited) limitStates.clear()
      return hasWaited
    },
  }
}

/**
 * Returns the limit that a request counts against, or `undefined` for the throttle key, whose limit is used up on
 * purpose.
 */
function getLimitScope(credential: Credential): LimitScope | undefined {
  if (credential.startsWith('throttle-key')) return undefined
  return credential === 'key' || credential === 'key-other-case' ? 'key' : 'address'
}

/** Rate-limit headers from a response. `resetsAt` is in milliseconds by our clock. */
interface LimitState {
  readonly remaining: number
  readonly resetsAt: number
}

function readLimitState(response: ReceivedResponse, now: number): LimitState | undefined {
  const { remaining, reset } = readLimitNumbers({ response })
  if (remaining === undefined || reset === undefined) return undefined
  // The server's clock may differ from ours, so the time until `Reset` is counted from the server's `Date`.
  return { remaining, resetsAt: now + reset * 1000 - (readDate(response) ?? now) }
}

import { isWholeNumber } from '../base/options.ts'
import { type Account, fields } from './account.ts'

/** At most `requests` requests in `windowMs` milliseconds (spec 8). */
export interface Limit {
  /** A whole number from 1. */
  readonly requests: number
  /** Milliseconds, a whole number from 1. `requests * windowMs` is at most 2^53 − 1: all arithmetic is exact. */
  readonly windowMs: number
}

/** The decision of a limiter about one request. `limit`, `remaining` and `reset` describe the same limit. */
export interface Decision {
  /** True if the request is admitted. */
  readonly allowed: boolean
  /** True if the key is banned (spec 7, rule 3). */
  readonly banned: boolean
  /** `X-RateLimit-Limit`: the number of requests that the limit admits. */
  readonly limit: number
  /** `X-RateLimit-Remaining`: the exact number of further requests that would be admitted now. */
  readonly remaining: number
  /** `X-RateLimit-Reset`: the Unix time in whole seconds when `remaining` equals `limit` again. */
  readonly reset: number
  /** Milliseconds until the request would be admitted; 0 if it was admitted. */
  readonly waitMs: number
}

/**
 * Decides which requests are admitted. Both methods return a value or a promise of it, throw (or reject with)
 * `LimiterUnavailable` while they cannot decide, and throw a `RangeError` for limits that cannot be counted exactly.
 *
 * A key is `key:<caller id>` or `address:<client address>`. Anonymous clients can invent addresses without end, so a
 * limiter bounds how many addresses it stores.
 */
export interface RateLimiter {
  /** Charges one request if every limit admits it. A rejected request is not charged. */
  consume(key: string, limits: readonly Limit[]): Decision | Promise<Decision>
  /** Returns the numbers of a key and charges nothing: `allowed` is true and `waitMs` is 0, also for a banned key. */
  peek(key: string, limits: readonly Limit[]): Decision | Promise<Decision>
  /**
   * Registers a function to be called with the cause when the limiter begins to decide without its storage. The service
   * registers its `onError`.
   */
  onFailure?(listener: (cause: unknown) => void): void
}

/**
 * Checks that limits can be counted exactly.
 *
 * @param limits The limits that a limiter was given.
 * @throws {RangeError} A limit is not made of whole numbers from 1 whose product is at most 2^53 − 1.
 * @example
 * import { checkLimits } from 'pet-adoption-service/limiter'
 *
 * checkLimits([{ requests: 60, windowMs: 60_000 }])
 */
export function checkLimits(limits: readonly Limit[]): void {
  for (const { requests, windowMs } of limits) {
    if (!(isWholeNumber(requests) && isWholeNumber(windowMs) && isWholeNumber(requests * windowMs))) {
      throw new RangeError(
        `${requests} requests in ${windowMs} ms: give whole numbers from 1 with a product below 2^53`,
      )
    }
  }
}

/**
 * Charges an account for `cost` requests, one or none, at `clock` (ms since the epoch), and returns the numbers after
 * it. A rejected request changes neither debts nor windows. Sets the time the account counts as new again.
 *
 * Each limit of N is a bucket that leaks and a window that its first request opens. Both must have room. So no burst
 * and no window holds more than N requests, any other period of its length holds at most 2N − 1, and Remaining and
 * Reset are exact.
 */
export function charge(account: Account, limits: readonly Limit[], clock: number, cost: 0 | 1): Decision {
  const at = account[fields.at]
  const now = Math.max(clock, at)
  const used: number[] = []
  let unusedBefore = now
  let unusedAfter = now
  let shown = -1
  let limit = 0
  let remaining = 0
  let reset = 0
  let waitMs = 0
  for (let i = 0; i < limits.length; i++) {
    const { requests, windowMs } = limits[i] as Limit // below the length
    const field = fields.limits + 3 * i
    const full = requests * windowMs
    // A limit that was added later starts unused. One that was lowered starts full at most.
    let debt = Math.max(0, Math.min(account[field] ?? 0, full) - (now - at) * requests)
    let start = account[field + 1] ?? 0
    let count = account[field + 2] ?? 0
    if (count === 0 || now >= start + windowMs) {
      start = now
      count = 0
    }
    let back = resetAt(now, debt / requests, start, count > 0 ? windowMs : 0)
    unusedBefore = Math.max(unusedBefore, back)
    const untilLeaked = Math.ceil((debt - (full - windowMs)) / requests)
    const untilNextWindow = count < requests ? 0 : start + windowMs - now
    const wait = cost === 0 ? 0 : Math.max(0, untilLeaked, untilNextWindow)
    if (cost === 1 && wait === 0) {
      debt += windowMs
      count++
      back = resetAt(now, debt / requests, start, windowMs)
    }
    used.push(debt, start, count)
    unusedAfter = Math.max(unusedAfter, back)
    const left = Math.max(0, Math.min(Math.floor((full - debt) / windowMs), requests - count))
    // A rejection shows the limit with the longest wait. Another decision shows the limit with the fewest remaining
    // requests, or of two equal ones the later reset.
    const isTighter = left < remaining || (left === remaining && back > reset)
    if (shown >= 0 && wait <= waitMs && (waitMs > 0 || !isTighter)) continue
    shown = i
    limit = requests
    remaining = left
    reset = back
    waitMs = wait
  }
  const allowed = waitMs === 0
  account[fields.endsAt] = allowed ? unusedAfter : unusedBefore
  if (cost === 1 && allowed) {
    account[fields.at] = now
    for (let i = 0; i < used.length; i++) account[fields.limits + i] = used[i] ?? 0
  }
  return { allowed, banned: false, limit, remaining, reset: Math.ceil(reset / 1000), waitMs }
}

/** Returns the time a limit has its full number again: its bucket is empty, and its window is over. */
function resetAt(now: number, leakingMs: number, start: number, openMs: number): number {
  return Math.max(now + Math.ceil(leakingMs), openMs > 0 ? start + openMs : now)
}

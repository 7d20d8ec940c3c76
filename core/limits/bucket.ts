import { isWholeNumber } from '../base/options.ts'
import type { Account } from './account.ts'
import * as fields from './fields.ts'

/** A rate limit, such as 60 requests per minute (spec 8). */
export interface Limit {
  /** Maximum requests per window and per burst, an integer from 1. */
  readonly requests: number
  /**
   * Window length in milliseconds, an integer from 1. A full bucket empties in this time. `requests * windowMs` must be
   * at most 2^53 - 1, so that all arithmetic is exact.
   */
  readonly windowMs: number
}

/**
 * What a limiter decides about a request. If several limits apply, `limit`, `remaining` and `reset` describe the limit
 * with the longest wait, or the one with the fewest remaining requests if there is no wait.
 */
export interface Decision {
  /** Whether the request is allowed. */
  readonly allowed: boolean
  /** Whether the caller or client address is banned (spec 7, rule 3). */
  readonly banned: boolean
  /** Maximum requests per window (`X-RateLimit-Limit`). */
  readonly limit: number
  /** How many further requests would be allowed now, exactly (`X-RateLimit-Remaining`). */
  readonly remaining: number
  /** Time when `remaining` equals `limit` again, in seconds since the epoch, rounded up (`X-RateLimit-Reset`). */
  readonly reset: number
  /** Time until the request would be allowed, in milliseconds, or 0 if it is allowed. */
  readonly waitMs: number
}

/**
 * Limits how many requests each caller and each client address may send. Both methods throw `LimiterUnavailableError`
 * while they cannot decide, and `RangeError` if a limit cannot be counted exactly. They may return promises and reject
 * with these errors instead.
 *
 * An account's key is `key:<caller ID>` or `address:<client address>`. Anonymous clients can use countless addresses,
 * so a limiter must bound how many it stores.
 */
export interface RateLimiter {
  /**
   * Charges a request to an account if every limit allows it, and returns the decision. A rejected request is not
   * charged.
   */
  consume(key: string, limits: readonly Limit[]): Decision | Promise<Decision>
  /**
   * Returns an account's state without charging a request. `allowed` is `true` and `waitMs` is 0, even if no requests
   * are left or the account is banned.
   */
  peek(key: string, limits: readonly Limit[]): Decision | Promise<Decision>
  /**
   * Registers a function that is called with the cause when the limiter begins to decide without its storage. The
   * service reports the cause to `options.onError`.
   */
  onFailure?(listener: (cause: unknown) => void): void
}

/**
 * Checks that limits can be counted exactly.
 *
 * @throws {RangeError} If `requests`, `windowMs` or their product is not an integer from 1 to 2^53 - 1.
 *
 * @example
 * import { checkLimits } from 'pet-adoption-service/limiter'
 *
 * checkLimits([{ requests: 60, windowMs: 60_000 }])
 */
export function checkLimits(limits: readonly Limit[]): void {
  for (const { requests, windowMs } of limits) {
    if (!(isWholeNumber(requests) && isWholeNumber(windowMs) && isWholeNumber(requests * windowMs))) {
      throw new RangeError(
        `invalid limit of ${requests} requests in ${windowMs} ms; expected positive integers whose product is below 2^53`,
      )
    }
  }
}

/**
 * Charges a request to an account if every limit allows it. A rejected request costs nothing. If `cost` is 0, nothing
 * is charged or rejected. `clock` is in milliseconds since the epoch.
 *
 * Each limit is a leaky bucket, together with a fixed window that starts with its first request. The bucket alone would
 * allow a full burst plus the requests that leak during the window. The window alone would allow two bursts around its
 * end. Together they allow at most N requests in a burst or window, and at most 2N - 1 in any other period of the same
 * length.
 *
 * A request adds `windowMs` to the bucket's debt, and each millisecond takes `requests` off. Thus the debt is always an
 * integer.
 */
export function chargeAccount(
  account: Account,
  limits: readonly Limit[],
  clock: number,
  cost: 0 | 1,
): Decision {
  const lastAllowedAt = account[fields.lastAllowedAt]
  const nowMs = Math.max(clock, lastAllowedAt)
  const updatedFields: number[] = []
  let expiresAtIfRejected = nowMs
  let expiresAtIfAllowed = nowMs
  let hasTightest = false
  let limit = 0
  let remaining = 0
  let reset = 0
  let waitMs = 0
  for (let i = 0; i < limits.length; i++) {
    const { requests, windowMs } = limits[i] as Limit // `i` is a valid index
    const offset = fields.firstLimit + 3 * i
    const capacity = requests * windowMs
    // A limit that was added later has no debt. If a limit was lowered, its debt may exceed the capacity.
    let debt = Math.max(0, Math.min(account[offset] ?? 0, capacity) - (nowMs - lastAllowedAt) * requests)
    let start = account[offset + 1] ?? 0
    let count = account[offset + 2] ?? 0
    if (count === 0 || nowMs >= start + windowMs) {
      start = nowMs
      count = 0
    }
    let resetsAt = computeResetTime(nowMs, debt / requests, start, count > 0 ? windowMs : 0)
    expiresAtIfRejected = Math.max(expiresAtIfRejected, resetsAt)
    const untilLeaked = Math.ceil((debt - (capacity - windowMs)) / requests)
    const untilNextWindow = count < requests ? 0 : start + windowMs - nowMs
    const wait = cost === 0 ? 0 : Math.max(0, untilLeaked, untilNextWindow)
    if (cost === 1 && wait === 0) {
      debt += windowMs
      count++
      resetsAt = computeResetTime(nowMs, debt / requests, start, windowMs)
    }
    updatedFields.push(debt, start, count)
    expiresAtIfAllowed = Math.max(expiresAtIfAllowed, resetsAt)
    const limitRemaining = Math.max(0, Math.min(Math.floor((capacity - debt) / windowMs), requests - count))
    // Report the limit with the longest wait. If there is no wait, report the limit with the fewest requests left, or
    // the one that resets last if they are equal.
    const isTighter = limitRemaining < remaining || (limitRemaining === remaining && resetsAt > reset)
    if (hasTightest && wait <= waitMs && (waitMs > 0 || !isTighter)) continue
    hasTightest = true
    limit = requests
    remaining = limitRemaining
    reset = resetsAt
    waitMs = wait
  }
  const allowed = waitMs === 0
  account[fields.expiresAt] = allowed ? expiresAtIfAllowed : expiresAtIfRejected
  if (cost === 1 && allowed) {
    account[fields.lastAllowedAt] = nowMs
    for (let i = 0; i < updatedFields.length; i++) account[fields.firstLimit + i] = updatedFields[i] ?? 0
  }
  return { allowed, banned: false, limit, remaining, reset: Math.ceil(reset / 1000), waitMs }
}

/**
 * Returns the time when a limit is unused again: its bucket is empty and its window is over. `openMs` is the window
 * length, or 0 if no window has started.
 */
function computeResetTime(now: number, leakingMs: number, start: number, openMs: number): number {
  return Math.max(now + Math.ceil(leakingMs), openMs > 0 ? start + openMs : now)
}

import { isWhole } from '../base/options.ts'
/** At most `requests` requests in `windowMs` milliseconds (spec 8). */
export interface Limit {
  /** A whole number from 1. */
  readonly requests: number
  /** Milliseconds, a whole number from 1. `requests * windowMs` is at most 2^53 − 1, so that all arithmetic is exact. */
  readonly windowMs: number
}

/** The decision of a limiter about one request. `limit`, `remaining` and `reset` describe the same limit. */
export interface Decision {
  /** Whether the request is admitted. */
  readonly allowed: boolean
  /** Whether the key is banned (spec 7, rule 3). */
  readonly banned: boolean
  /** `X-RateLimit-Limit`: the number of requests that the limit admits. */
  readonly limit: number
  /** `X-RateLimit-Remaining`: exactly so many more requests would be admitted now. */
  readonly remaining: number
  /** `X-RateLimit-Reset`: the Unix time, in whole seconds, from which `remaining` equals `limit` again. */
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
 * What one key has used: the time `at` of its last admitted request, in ms since the epoch, and then three numbers for
 * each limit: its debt, the start of its window, and how many requests were admitted in that window. The array is flat
 * because a limiter holds a million of them.
 */
export type Bucket = number[]

const fieldsPerLimit = 3

/** A clock that steps back by no more than this stands still instead. */
const clockToleranceMs = 2000

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
    if (!(isWhole(requests) && isWhole(windowMs) && isWhole(requests * windowMs))) {
      throw new RangeError(
        `${requests} requests in ${windowMs} ms: give whole numbers from 1 with a product below 2^53`,
      )
    }
  }
}

/** Returns a bucket from which nothing is used; `now` is in ms since the epoch. */
export function createBucket(limits: readonly Limit[], now: number): Bucket {
  return [now, ...limits.flatMap(() => [0, now, 0])]
}

/** Returns when the last request of a bucket was admitted, in ms since the epoch. */
export function lastAdmission(bucket: Bucket): number {
  return bucket[0] ?? 0
}

/**
 * Moves a bucket to a clock that has stepped back, so that no key waits until that clock has caught up.
 * Returns by how many milliseconds it moved: 0 if the step is tolerated, or there is none.
 */
export function followClock(bucket: Bucket, now: number): number {
  const back = field(bucket, 0) - now
  if (back <= clockToleranceMs) return 0
  for (let i = 2; i < bucket.length; i += fieldsPerLimit) bucket[i] = field(bucket, i) - back
  bucket[0] = now
  return back
}

/**
 * Charges a bucket for one request at `clock` (ms since the epoch). A rejected request leaves the bucket unchanged.
 *
 * Each limit of N is a bucket that drips and a window opened by its first request, and both must have room. So no burst
 * and no window of it holds more than N requests, any other stretch of its length holds at most 2N − 1, and Remaining
 * and Reset are exact.
 */
export function charge(bucket: Bucket, limits: readonly Limit[], clock: number): Decision {
  const now = Math.max(clock, field(bucket, 0))
  let longest = 0
  let waitMs = 0
  for (let i = 0; i < limits.length; i++) {
    const wait = waitOf(bucket, limits, i, now)
    if (wait <= waitMs) continue
    waitMs = wait
    longest = i
  }
  if (waitMs > 0) return decisionOn(bucket, limits, longest, now, waitMs)
  for (let i = 0; i < limits.length; i++) admit(bucket, limits, i, now)
  bucket[0] = now
  return peek(bucket, limits, now)
}

/** Returns the numbers of a bucket at `clock` (ms since the epoch) and charges nothing. */
export function peek(bucket: Bucket, limits: readonly Limit[], clock: number): Decision {
  const now = Math.max(clock, field(bucket, 0))
  return decisionOn(bucket, limits, tightest(bucket, limits, now), now, 0)
}

/** Returns when a bucket becomes the same as a new one, in ms since the epoch. */
export function emptyAt(bucket: Bucket, limits: readonly Limit[]): number {
  const at = field(bucket, 0)
  return limits.reduce((latest, _, i) => Math.max(latest, resetOf(bucket, limits, i, at)), at)
}

// The functions below concern the limit with the index `i` at `now`. They take numbers and the lists: a check with an
// object for each limit took four times as long on Node 20.

/** Returns what has not dripped yet: N·W when the bucket is full, and N less each millisecond. */
function debtOf(bucket: Bucket, limits: readonly Limit[], i: number, now: number): number {
  const elapsed = now - field(bucket, 0)
  return Math.max(0, field(bucket, i * fieldsPerLimit + 1) - elapsed * limitAt(limits, i).requests)
}

function windowEndOf(bucket: Bucket, limits: readonly Limit[], i: number): number {
  return field(bucket, i * fieldsPerLimit + 2) + limitAt(limits, i).windowMs
}

/** Returns how many requests were admitted in the window; 0 once it is over. */
function usedOf(bucket: Bucket, limits: readonly Limit[], i: number, now: number): number {
  return now >= windowEndOf(bucket, limits, i) ? 0 : field(bucket, i * fieldsPerLimit + 3)
}

function waitOf(bucket: Bucket, limits: readonly Limit[], i: number, now: number): number {
  const { requests, windowMs } = limitAt(limits, i)
  const tooMuch = debtOf(bucket, limits, i, now) - (requests - 1) * windowMs
  const untilNextWindow = usedOf(bucket, limits, i, now) < requests ? 0 : windowEndOf(bucket, limits, i) - now
  return Math.max(Math.ceil(tooMuch / requests), untilNextWindow)
}

function remainingOf(bucket: Bucket, limits: readonly Limit[], i: number, now: number): number {
  const { requests, windowMs } = limitAt(limits, i)
  const room = Math.floor((requests * windowMs - debtOf(bucket, limits, i, now)) / windowMs)
  return Math.max(0, Math.min(room, requests - usedOf(bucket, limits, i, now)))
}

function resetOf(bucket: Bucket, limits: readonly Limit[], i: number, now: number): number {
  const dry = now + Math.ceil(debtOf(bucket, limits, i, now) / limitAt(limits, i).requests)
  return usedOf(bucket, limits, i, now) > 0 ? Math.max(dry, windowEndOf(bucket, limits, i)) : dry
}

/** Charges one limit. The time of the bucket is that of its last admission until all limits are charged. */
function admit(bucket: Bucket, limits: readonly Limit[], i: number, now: number): void {
  const first = i * fieldsPerLimit + 1
  const used = usedOf(bucket, limits, i, now)
  bucket[first] = debtOf(bucket, limits, i, now) + limitAt(limits, i).windowMs
  if (used === 0) bucket[first + 1] = now
  bucket[first + 2] = used + 1
}

function decisionOn(
  bucket: Bucket,
  limits: readonly Limit[],
  i: number,
  now: number,
  waitMs: number,
): Decision {
  return {
    allowed: waitMs === 0,
    banned: false,
    limit: limitAt(limits, i).requests,
    remaining: remainingOf(bucket, limits, i, now),
    reset: Math.ceil(resetOf(bucket, limits, i, now) / 1000),
    waitMs,
  }
}

/** Returns the limit with the fewest requests remaining; of two alike, the one that resets later. */
function tightest(bucket: Bucket, limits: readonly Limit[], now: number): number {
  let found = 0
  for (let i = 1; i < limits.length; i++) {
    const more = remainingOf(bucket, limits, i, now) - remainingOf(bucket, limits, found, now)
    if (more < 0 || (more === 0 && resetOf(bucket, limits, i, now) > resetOf(bucket, limits, found, now)))
      found = i
  }
  return found
}

function limitAt(limits: readonly Limit[], i: number): Limit {
  return limits[i] as Limit // every index above is that of a limit
}

/** Returns a field of a bucket; 0 if the bucket was made for fewer limits, so that a limit added later starts unused. */
function field(bucket: readonly number[], index: number): number {
  return bucket[index] ?? 0
}

/**
 * At most `requests` in `windowMs` milliseconds (spec 8).
 * Both are whole numbers of at least 1 whose product is at most 2^53 − 1, so that all arithmetic is exact.
 */
export interface Limit {
  readonly requests: number
  readonly windowMs: number
}

/** What a limiter says of one request. Limit, remaining and reset speak of the same limit. */
export interface Decision {
  readonly allowed: boolean
  /** True where the refusal is a ban (spec 7, rule 3). */
  readonly banned: boolean
  /** X-RateLimit-Limit. */
  readonly limit: number
  /** X-RateLimit-Remaining: exactly so many more succeed now. */
  readonly remaining: number
  /** X-RateLimit-Reset: the Unix time, in whole seconds, from which `remaining` equals `limit` again. */
  readonly reset: number
  /** Milliseconds after which the request would be admitted; 0 where it was. */
  readonly waitMs: number
}

/**
 * Decides who may proceed. May answer at once or with a promise; throws `LimiterUnavailable` when it cannot decide.
 *
 * A key is `key:<caller id>` or `address:<address>`. Strangers can invent addresses without end, so a limiter bounds
 * what it keeps for those.
 */
export interface RateLimiter {
  /**
   * Admits one request only if every limit admits it; a refusal costs nothing.
   * With a `cost` of 0 (1 by default) it charges nothing and never refuses: it only tells the numbers.
   */
  consume(key: string, limits: readonly Limit[], cost?: 0 | 1): Decision | Promise<Decision>
  /**
   * Registers a function to be called with the cause when the limiter begins to decide without its storage. The service
   * registers its `onError`.
   */
  onFailure?(listener: (cause: unknown) => void): void
}

/**
 * What one key has used: the time `at` of its last admitted request, in ms since the epoch, then for each limit
 * its debt `d`, the start of its window `s` and what was used in it, `u`. Flat, since a million of them are kept.
 */
export type Bucket = number[]

const fieldsPerLimit = 3

/** A clock that steps back by no more than this stands still instead. */
const clockToleranceMs = 2000

/** Throws a `RangeError` that names the limit that cannot be counted exactly. */
export function checkLimits(limits: readonly Limit[]): void {
  for (const { requests, windowMs } of limits) {
    const whole = Number.isInteger(requests) && Number.isInteger(windowMs)
    if (!(whole && requests >= 1 && windowMs >= 1 && Number.isSafeInteger(requests * windowMs))) {
      throw new RangeError(
        `${requests} requests in ${windowMs} ms is no usable limit: give whole numbers from 1 whose product is at most 2^53 - 1`,
      )
    }
  }
}

/** A bucket of which nothing is used. */
export function createBucket(limits: readonly Limit[], now: number): Bucket {
  return [now, ...limits.flatMap(() => [0, now, 0])]
}

/** When the last request of a bucket was admitted, in milliseconds since the epoch. */
export function lastAdmission(bucket: Bucket): number {
  return field(bucket, 0)
}

/**
 * Moves a bucket to a clock that has stepped back, so that nobody is locked out until that clock has caught up.
 * Answers by how many milliseconds it moved: 0 where the step is tolerated, or there is none.
 */
export function followClock(bucket: Bucket, now: number): number {
  const back = field(bucket, 0) - now
  if (back <= clockToleranceMs) return 0
  for (let i = 2; i < bucket.length; i += fieldsPerLimit) bucket[i] = field(bucket, i) - back
  bucket[0] = now
  return back
}

/**
 * Charges a bucket for one request at `clock` (ms since the epoch), or with a `cost` of 0 only looks.
 *
 * Each limit of N is a bucket that drips and a window opened by its first request, and both must have room: so no
 * burst and no window of it ever holds more than N (any other stretch of its length at most 2N − 1), and what
 * Remaining and Reset say is exact. The bucket is changed only when the request is admitted.
 */
export function charge(bucket: Bucket, limits: readonly Limit[], clock: number, cost: 0 | 1): Decision {
  const now = Math.max(clock, field(bucket, 0))
  bringForward(bucket, limits, now)
  let shown = 0
  let wait = 0
  for (let i = 0; i < limits.length && cost === 1; i++) {
    const waitMs = waitOf(limits, i, now)
    if (waitMs <= wait) continue
    wait = waitMs
    shown = i
  }
  if (wait === 0) {
    if (cost === 1) admit(bucket, limits, now)
    shown = tightest(limits, now)
  }
  return {
    allowed: wait === 0,
    banned: false,
    limit: requestsOf(limits, shown),
    remaining: remainingOf(limits, shown),
    reset: Math.ceil(resetOf(limits, shown, now) / 1000),
    waitMs: wait,
  }
}

/** When a bucket has become the same as none, in ms since the epoch. */
export function emptyAt(bucket: Bucket, limits: readonly Limit[]): number {
  const at = field(bucket, 0)
  bringForward(bucket, limits, at)
  let latest = at
  for (let i = 0; i < limits.length; i++) latest = Math.max(latest, resetOf(limits, i, at))
  return latest
}

// What follows speaks of the limit with the index `i` at `now`, to which `bringForward` brings these three first. They are
// arrays that are used over and over: a check with an object for each limit took four times as long on Node 20.

/** What is still owed of the drip: full at N·W, and N less each millisecond. */
const debts: number[] = []
/** How many were admitted in the window; none once it is over. */
const uses: number[] = []
const windowEnds: number[] = []

function bringForward(bucket: Bucket, limits: readonly Limit[], now: number): void {
  const elapsed = now - field(bucket, 0)
  for (let i = 0; i < limits.length; i++) {
    const first = i * fieldsPerLimit + 1
    const windowEnd = field(bucket, first + 1) + windowOf(limits, i)
    debts[i] = Math.max(0, field(bucket, first) - elapsed * requestsOf(limits, i))
    uses[i] = now >= windowEnd ? 0 : field(bucket, first + 2)
    windowEnds[i] = windowEnd
  }
}

function admit(bucket: Bucket, limits: readonly Limit[], now: number): void {
  for (let i = 0; i < limits.length; i++) {
    const first = i * fieldsPerLimit + 1
    const windowMs = windowOf(limits, i)
    bucket[first] = debts[i] = field(debts, i) + windowMs
    if (field(uses, i) === 0) {
      bucket[first + 1] = now
      windowEnds[i] = now + windowMs
    }
    bucket[first + 2] = uses[i] = field(uses, i) + 1
  }
  bucket[0] = now
}

function waitOf(limits: readonly Limit[], i: number, now: number): number {
  const requests = requestsOf(limits, i)
  const tooMuch = field(debts, i) - (requests - 1) * windowOf(limits, i)
  const untilDripped = tooMuch > 0 ? Math.ceil(tooMuch / requests) : 0
  return field(uses, i) >= requests ? Math.max(untilDripped, field(windowEnds, i) - now) : untilDripped
}

function remainingOf(limits: readonly Limit[], i: number): number {
  const requests = requestsOf(limits, i)
  const windowMs = windowOf(limits, i)
  const room = Math.floor((requests * windowMs - field(debts, i)) / windowMs)
  return Math.max(0, Math.min(room, requests - field(uses, i)))
}

function resetOf(limits: readonly Limit[], i: number, now: number): number {
  const dry = now + Math.ceil(field(debts, i) / requestsOf(limits, i))
  return field(uses, i) > 0 ? Math.max(dry, field(windowEnds, i)) : dry
}

/** The limit with the fewest remaining; of two alike, the one that resets later. */
function tightest(limits: readonly Limit[], now: number): number {
  let found = 0
  for (let i = 1; i < limits.length; i++) {
    const more = remainingOf(limits, i) - remainingOf(limits, found)
    if (more < 0 || (more === 0 && resetOf(limits, i, now) > resetOf(limits, found, now))) found = i
  }
  return found
}

function requestsOf(limits: readonly Limit[], i: number): number {
  return limits[i]?.requests ?? 1
}

function windowOf(limits: readonly Limit[], i: number): number {
  return limits[i]?.windowMs ?? 1
}

/** A bucket's field; 0 where it was made for fewer limits, so that a limit added later starts unused. */
function field(bucket: readonly number[], index: number): number {
  return bucket[index] ?? 0
}

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
}

/**
 * What one key has used: the time `at` of its last admitted request, in ms since the epoch, then for each limit
 * its debt `d`, the start of its window `s` and what was used in it, `u`. Flat, since a million of them are kept.
 */
export type Bucket = number[]

const fieldsPerLimit = 3

/** A clock that steps back by no more than this stands still instead. */
const clockToleranceMs = 2000

/** One limit's use, brought forward to a moment. */
interface Use {
  readonly limit: Limit
  readonly debt: number
  readonly start: number
  readonly used: number
}

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
  const uses = limits.map((limit, i) => bringForward(bucket, limit, i, now))
  if (cost === 0) return describe(tightest(uses, now), now, 0)

  const slowest = uses.reduce((a, b) => (waitOf(b, now) > waitOf(a, now) ? b : a))
  const wait = waitOf(slowest, now)
  if (wait > 0) return describe(slowest, now, wait)

  const charged = uses.map(addOne)
  bucket[0] = now
  for (const [i, use] of charged.entries()) {
    bucket[i * fieldsPerLimit + 1] = use.debt
    bucket[i * fieldsPerLimit + 2] = use.start
    bucket[i * fieldsPerLimit + 3] = use.used
  }
  return describe(tightest(charged, now), now, 0)
}

/** When a bucket has become the same as none, in ms since the epoch. */
export function emptyAt(bucket: Bucket, limits: readonly Limit[]): number {
  const at = field(bucket, 0)
  return Math.max(...limits.map((limit, i) => resetOf(bringForward(bucket, limit, i, at), at)))
}

function bringForward(bucket: Bucket, limit: Limit, index: number, now: number): Use {
  const first = index * fieldsPerLimit + 1
  const dripped = (now - field(bucket, 0)) * limit.requests
  const debt = Math.max(0, field(bucket, first) - dripped)
  const start = field(bucket, first + 1)
  const used = field(bucket, first + 2)
  const over = used === 0 || now >= start + limit.windowMs
  return over ? { limit, debt, start: now, used: 0 } : { limit, debt, start, used }
}

function addOne({ limit, debt, start, used }: Use): Use {
  return { limit, debt: debt + limit.windowMs, start, used: used + 1 }
}

function waitOf({ limit, debt, start, used }: Use, now: number): number {
  const { requests, windowMs } = limit
  const untilDripped = Math.max(0, Math.ceil((debt - (requests - 1) * windowMs) / requests))
  const untilWindowEnds = used + 1 > requests ? start + windowMs - now : 0
  return Math.max(untilDripped, untilWindowEnds)
}

function remainingOf({ limit, debt, used }: Use): number {
  const { requests, windowMs } = limit
  return Math.max(0, Math.min(Math.floor((requests * windowMs - debt) / windowMs), requests - used))
}

function resetOf({ limit, debt, start, used }: Use, now: number): number {
  return Math.max(now + Math.ceil(debt / limit.requests), used > 0 ? start + limit.windowMs : now)
}

/** The use with the fewest remaining; of two alike, the one that resets later. */
function tightest(uses: readonly Use[], now: number): Use {
  return uses.reduce((a, b) => {
    const more = remainingOf(b) - remainingOf(a)
    return more < 0 || (more === 0 && resetOf(b, now) > resetOf(a, now)) ? b : a
  })
}

function describe(use: Use, now: number, waitMs: number): Decision {
  return {
    allowed: waitMs === 0,
    banned: false,
    limit: use.limit.requests,
    remaining: remainingOf(use),
    reset: Math.ceil(resetOf(use, now) / 1000),
    waitMs,
  }
}

/** A bucket's field; 0 where it was made for fewer limits, so that a limit added later starts unused. */
function field(bucket: Bucket, index: number): number {
  return bucket[index] ?? 0
}

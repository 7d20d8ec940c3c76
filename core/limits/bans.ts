import { isObject } from '../object.ts'

/**
 * When rejections with 429 become a ban (spec 7, rule 3). All times are in milliseconds.
 *
 * Only rejections of requests that were sent in spite of a 429 count, so they count by streaks. A streak begins with a
 * 429. It ends when a request is admitted a second or more after the last 429, as after any `Retry-After`; when a ban
 * begins; and when none of its counted rejections lies within `withinMs`. The rejections of its first second count as one,
 * since their requests may have been on their way when the first 429 was sent. Each later rejection counts.
 */
export interface BanPolicy {
  /** How many counted rejections within `withinMs` begin a ban; 100 by default, 10,000 at most. */
  readonly refusals: number
  /** The length of the sliding window in which rejections are counted; 60 s by default. */
  readonly withinMs: number
  /** The length of the first ban; 15 min by default. Each further ban lasts twice as long as the one before. */
  readonly firstMs: number
  /** The length of the longest ban; 24 h by default. */
  readonly longestMs: number
  /** How long after the end of a ban the next one is still a further one; 24 h by default. */
  readonly rememberMs: number
}

/** The length of the part of a streak whose requests may have been sent before its first 429 was read. */
export const inFlightMs = 1_000

/** A record grows with the rejections that it may hold, so their number is bounded. */
const mostRejections = 10_000

/** A hundred rejections within a minute: 15 minutes, doubling up to a day. */
export const defaultBanPolicy: BanPolicy = {
  refusals: 100,
  withinMs: 60_000,
  firstMs: 15 * 60_000,
  longestMs: 24 * 3_600_000,
  rememberMs: 24 * 3_600_000,
}

/**
 * Reads an option `ban`. Parts that are left out have their defaults; `false` is no policy.
 *
 * @throws {TypeError} A part is invalid; the message names it.
 */
export function readBanPolicy(ban: Partial<BanPolicy> | false = {}): BanPolicy | undefined {
  if (ban === false) return undefined
  if (!isObject(ban)) throw new TypeError('options.ban must be false or an object')
  const policy: Record<keyof BanPolicy, number> = { ...defaultBanPolicy }
  for (const part of Object.keys(policy) as (keyof BanPolicy)[] /* those of the default */) {
    const value = ban[part] ?? defaultBanPolicy[part]
    if (!Number.isSafeInteger(value) || value < 1) {
      throw new TypeError(`options.ban.${part} must be a whole number from 1`)
    }
    policy[part] = value
  }
  if (policy.refusals > mostRejections)
    throw new TypeError(`options.ban.refusals must be at most ${mostRejections}`)
  return policy
}

/** The rejections and bans of a key. Times are in milliseconds since the epoch. */
export interface BanRecord {
  /** The times of the counted rejections, oldest first: always fewer than begin a ban. */
  rejections: number[]
  /** When the last ban ends or ended; 0 before the first. */
  until: number
  /** How many bans followed each other. */
  strikes: number
  /** When the streak began; 0 before the first, and after a ban. */
  streakAt: number
  /** When the last rejection of the streak was, counted or not; 0 likewise. */
  rejectedAt: number
}

/** Creates the record of a key that was never rejected. */
export function createBanRecord(): BanRecord {
  return { rejections: [], until: 0, strikes: 0, streakAt: 0, rejectedAt: 0 }
}

/** Whether the key is banned at `now`. */
export function isBanned(record: BanRecord, now: number): boolean {
  return now < record.until
}

/**
 * Records rejections at `now`, and begins a ban with the one that completes it. Not to be called during a ban.
 *
 * @param admittedAt - When the last request of the key was admitted.
 * @param count - How many rejections there are; 1 by default. 0 records that there were rejections which do not count.
 */
export function countRejections(
  record: BanRecord,
  policy: BanPolicy,
  now: number,
  admittedAt: number,
  count = 1,
): void {
  const recent = record.rejections.filter((time) => time > now - policy.withinMs)
  const isStreak = recent.length > 0 && Math.min(admittedAt, now) < record.rejectedAt + inFlightMs
  if (!isStreak && count === 0) return
  const counted = isStreak ? (now < record.streakAt + inFlightMs ? 0 : count) : 1
  record.streakAt = isStreak ? record.streakAt : now
  record.rejectedAt = isStreak ? Math.max(record.rejectedAt, now) : now
  for (let i = 0; i < counted && recent.length < policy.refusals; i++) recent.push(now)
  record.rejections = recent
  if (recent.length >= policy.refusals) beginBan(record, policy, now)
}

function beginBan(record: BanRecord, policy: BanPolicy, now: number): void {
  const isFurther = now < record.until + policy.rememberMs
  record.strikes = isFurther ? record.strikes + 1 : 1
  record.until = now + Math.min(policy.firstMs * 2 ** (record.strikes - 1), policy.longestMs)
  record.rejections = []
  record.streakAt = 0
  record.rejectedAt = 0
}

/** The time, in milliseconds since the epoch, from which a record is the same as none. */
export function recordEmptyAt(record: BanRecord, policy: BanPolicy): number {
  const lastCounted = record.rejections.at(-1)
  return Math.max(
    record.strikes > 0 ? record.until + policy.rememberMs : 0,
    lastCounted === undefined ? 0 : lastCounted + policy.withinMs,
  )
}

/** Moves a record to a clock that has stepped back by `backMs`. */
export function shiftBan(record: BanRecord, backMs: number): void {
  record.until -= backMs
  record.streakAt -= backMs
  record.rejectedAt -= backMs
  record.rejections = record.rejections.map((time) => time - backMs)
}

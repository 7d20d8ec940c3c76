import { isObject } from '../base/json.ts'
import { checkOptions, isWhole, type OptionRule, withoutUndefined } from '../base/options.ts'

/**
 * When rejections with 429 become a ban, and for how long (spec 7, rule 3). All members are whole numbers from 1; times are
 * in milliseconds.
 *
 * Only rejections of requests that were sent in spite of a 429 count, so they count by streaks. A streak begins with a
 * 429. It ends when a request is admitted a second or more after the last 429, as after any `Retry-After`; when a ban
 * starts; and when none of its counted rejections lies within `withinMs`. The rejections of its first second count as one,
 * since their requests may have been on their way when the first 429 was sent. Each later rejection counts.
 */
export interface BanPolicy {
  /** The number of counted rejections that starts a ban; 100 by default, at most 10,000. */
  readonly refusals: number
  /** The sliding window in which rejections count; 60 s by default. */
  readonly withinMs: number
  /** The length of the first ban; 15 min by default. Each further ban lasts twice as long as the one before. */
  readonly firstMs: number
  /** The longest length of a ban; 24 h by default. */
  readonly longestMs: number
  /** For how long after its end a ban makes the next one longer; 24 h by default. */
  readonly rememberMs: number
}

/** The length of the part of a streak whose requests may have been sent before its first 429 was read. */
export const inFlightMs = 1_000

/** A record grows with the rejections that it may hold, so there is a bound. */
const maxRefusals = 10_000

/** A hundred rejections within a minute: 15 minutes, doubling up to a day. */
export const defaultBanPolicy: BanPolicy = {
  refusals: 100,
  withinMs: 60_000,
  firstMs: 15 * 60_000,
  longestMs: 24 * 3_600_000,
  rememberMs: 24 * 3_600_000,
}

/**
 * Reads the option `ban` of a limiter.
 *
 * @param ban The members that differ from the default policy; false for no bans; everything is default if it is left out.
 * @returns The whole policy; undefined for no bans.
 * @throws {TypeError} A member is unknown, or is not a whole number from 1; the message names it.
 * @example
 * import { readBanPolicy } from 'pet-adoption-service/limiter'
 *
 * readBanPolicy({ refusals: 50 })?.withinMs // 60_000
 */
export function readBanPolicy(ban: Partial<BanPolicy> | false = {}): BanPolicy | undefined {
  if (ban === false) return undefined
  if (!isObject(ban)) throw new TypeError('options.ban must be false or an object')
  const expected = `a whole number from 1, refusals at most ${maxRefusals}`
  const whole: OptionRule = [(value) => isWhole(value), expected]
  const refusals: OptionRule = [(value) => isWhole(value, 1, maxRefusals), expected]
  const rules = { refusals, withinMs: whole, firstMs: whole, longestMs: whole, rememberMs: whole }
  checkOptions(ban, rules, 'options.ban')
  return { ...defaultBanPolicy, ...withoutUndefined(ban) }
}

/** The rejections and bans of a key. Times are in milliseconds since the epoch. */
export interface BanRecord {
  /** The times of the counted rejections, oldest first: always fewer than start a ban. */
  rejections: number[]
  /** When the last ban ends or ended; 0 before the first. */
  until: number
  /** How many bans followed each other. */
  strikes: number
  /** When the last streak began; 0 before the first. */
  streakAt: number
  /** When the last rejection of that streak was, counted or not; 0 before the first. */
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
 * Records rejections at `now`, and starts a ban with the one that completes it. Not to be called during a ban.
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
  if (!isStreak) record.streakAt = record.rejectedAt = now
  record.rejectedAt = Math.max(record.rejectedAt, now)
  const counted = isStreak ? (now < record.streakAt + inFlightMs ? 0 : count) : 1
  for (let i = 0; i < counted && recent.length < policy.refusals; i++) recent.push(now)
  record.rejections = recent
  if (recent.length < policy.refusals) return
  const remembered = now < record.until + policy.rememberMs
  record.strikes = remembered ? record.strikes + 1 : 1
  record.until = now + Math.min(policy.firstMs * 2 ** (record.strikes - 1), policy.longestMs)
  record.rejections = []
}

/** Returns when a record becomes the same as a new one, in ms since the epoch. */
export function forgottenAt(record: BanRecord, policy: BanPolicy): number {
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

import { isObject } from '../json.ts'
import { checkOptionNames } from '../option-names.ts'

/**
 * When requests that were rejected with 429 become a ban, and for how long (spec 7, rule 3). All members are whole
 * numbers from 1; times are in milliseconds.
 */
export interface BanPolicy {
  /** The number of rejections that starts a ban; 100 by default, at most 10,000. */
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
  const members = Object.keys(defaultBanPolicy) as (keyof BanPolicy)[] // those of the default
  checkOptionNames(ban, members, 'options.ban')
  const policy: Record<keyof BanPolicy, number> = { ...defaultBanPolicy }
  for (const member of members) {
    const value = ban[member] ?? defaultBanPolicy[member]
    if (!Number.isSafeInteger(value) || value < 1) {
      throw new TypeError(`options.ban.${member} must be a whole number from 1`)
    }
    policy[member] = value
  }
  if (policy.refusals > maxRefusals)
    throw new TypeError(`options.ban.refusals must be at most ${maxRefusals}`)
  return policy
}

/** The rejections and bans of a key. Times are in ms since the epoch. */
export interface BanRecord {
  /** When requests were rejected, oldest first: fewer than start a ban. */
  rejections: number[]
  /** When the last ban ends or ended; 0 before the first. */
  until: number
  /** The number of bans in a row. */
  strikes: number
}

/** Returns the record of a key that was never rejected. */
export function createBanRecord(): BanRecord {
  return { rejections: [], until: 0, strikes: 0 }
}

/** Returns whether the key is banned at `now`. */
export function isBanned(record: BanRecord, now: number): boolean {
  return now < record.until
}

/**
 * Counts rejections at `now`, one by default. If they reach the number of the policy, a ban starts and those beyond it
 * are dropped. Not to be called during a ban.
 */
export function countRejections(record: BanRecord, policy: BanPolicy, now: number, count = 1): void {
  const recent = record.rejections.filter((time) => time > now - policy.withinMs)
  for (let i = 0; i < count && recent.length < policy.refusals; i++) recent.push(now)
  record.rejections = recent
  if (recent.length < policy.refusals) return
  const remembered = now < record.until + policy.rememberMs
  record.strikes = remembered ? record.strikes + 1 : 1
  record.until = now + Math.min(policy.firstMs * 2 ** (record.strikes - 1), policy.longestMs)
  record.rejections = []
}

/** Returns when a record becomes the same as a new one, in ms since the epoch. */
export function forgottenAt(record: BanRecord, policy: BanPolicy): number {
  const lastRejection = record.rejections.at(-1)
  return Math.max(
    record.strikes > 0 ? record.until + policy.rememberMs : 0,
    lastRejection === undefined ? 0 : lastRejection + policy.withinMs,
  )
}

/** Moves a record to a clock that has stepped back by `backMs`. */
export function shiftBan(record: BanRecord, backMs: number): void {
  record.until -= backMs
  record.rejections = record.rejections.map((time) => time - backMs)
}

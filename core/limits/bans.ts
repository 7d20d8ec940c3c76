import { isObject } from '../base/json.ts'
import { checkOptions, dropUndefined, isWholeNumber, type OptionRule } from '../base/options.ts'
import { type Account, fields, stepsOfWindow } from './account.ts'

/**
 * The policy of bans after rejections with 429 (spec 7, rule 3). All members are whole numbers from 1; times are in
 * milliseconds.
 *
 * Only rejections of requests that were sent in spite of a 429 count, so they count by streaks. A streak begins with a
 * 429. It ends when a request is admitted a second or more after the last 429, as after any `Retry-After`; when a ban
 * starts; and when none of its counted rejections lies within `withinMs`. The rejections of its first second count as
 * one, since their requests may have been on their way when the first 429 was sent. Each later rejection counts.
 */
export interface BanPolicy {
  /** The number of counted rejections that starts a ban; 100 by default, at most 10,000. */
  readonly rejections: number
  /**
   * The window for counting rejections; 60 s by default. It slides in steps of 10 %, and begins with a rejection: one
   * counts for 90 % to 100 % of it.
   */
  readonly withinMs: number
  /** The length of the first ban; 15 min by default. Each further ban lasts twice as long as the one before. */
  readonly firstMs: number
  /** Maximum length of a ban; 24 h by default. */
  readonly longestMs: number
  /** Time after its end that a ban makes the next one longer; 24 h by default. */
  readonly rememberMs: number
}

/** The length of the part of a streak whose requests may have been sent before its first 429 was read. */
export const inFlightMs = 1_000

const maxRejections = 10_000

/** A hundred rejections within a minute: 15 minutes, doubling up to a day. */
export const defaultBanPolicy: BanPolicy = {
  rejections: 100,
  withinMs: 60_000,
  firstMs: 15 * 60_000,
  longestMs: 24 * 3_600_000,
  rememberMs: 24 * 3_600_000,
}

/**
 * Reads the option `ban` of a limiter.
 *
 * @param ban The members that differ from the default policy; false for no bans; everything is default if it is left
 * out.
 * @returns The whole policy; undefined for no bans.
 * @throws {TypeError} A member is unknown, or is not a whole number from 1; the message names it.
 * @example
 * import { readBanPolicy } from 'pet-adoption-service/limiter'
 *
 * readBanPolicy({ rejections: 50 })?.withinMs // 60_000
 */
export function readBanPolicy(ban: Partial<BanPolicy> | false = {}): BanPolicy | undefined {
  if (ban === false) return undefined
  if (!isObject(ban)) throw new TypeError('options.ban must be false or an object')
  const expected = `a whole number from 1, rejections at most ${maxRejections}`
  const whole: OptionRule = [(value) => isWholeNumber(value), expected]
  const rejections: OptionRule = [(value) => isWholeNumber(value, 1, maxRejections), expected]
  const rules = { rejections, withinMs: whole, firstMs: whole, longestMs: whole, rememberMs: whole }
  checkOptions(ban, rules, 'options.ban')
  return { ...defaultBanPolicy, ...dropUndefined(ban) }
}

/** Rejections that a limiter made without `decide` since its last call. */
export interface EarlierRejections {
  /** Number of rejections that count towards a ban. Those in the first second of a streak do not. */
  readonly count: number
  /** Time of the last rejection, counted or not, in milliseconds since the epoch. */
  readonly at: number
}

/** Returns true if a key is banned at `now`. */
export function isBanned(account: Account, now: number): boolean {
  return now < account[fields.bannedUntil]
}

/**
 * Records rejections, and starts a ban with the one that completes it. Those during a ban change nothing. A count of 0
 * records that there were rejections which do not count.
 */
export function recordRejections(
  account: Account,
  policy: BanPolicy,
  { count, at }: EarlierRejections,
): void {
  if (isBanned(account, at)) return
  const before = slide(account, computeStepMs(policy), at)
  const rejectedAt = account[fields.rejectedAt]
  const isStreak = before > 0 && Math.min(account[fields.at], at) < rejectedAt + inFlightMs
  if (!isStreak && count === 0) return
  if (!isStreak) account[fields.streakAt] = at
  account[fields.rejectedAt] = isStreak ? Math.max(rejectedAt, at) : at
  if (before === 0) account[fields.stepAt] = at
  const isFirstSecond = at < account[fields.streakAt] + inFlightMs
  const counted = isStreak ? (isFirstSecond ? 0 : count) : 1
  account[fields.counts] = (account[fields.counts] ?? 0) + counted
  if (before + counted >= policy.rejections) ban(account, policy, at)
}

function ban(account: Account, { firstMs, longestMs, rememberMs }: BanPolicy, now: number): void {
  const isRemembered = now < account[fields.bannedUntil] + rememberMs
  const bans = isRemembered ? account[fields.bans] + 1 : 1
  account[fields.bans] = bans
  account[fields.bannedUntil] = now + Math.min(firstMs * 2 ** (bans - 1), longestMs)
  account.fill(0, fields.counts, fields.counts + stepsOfWindow)
}

/** Drops the counts of the steps that have left the window. Returns how many rejections still count. */
function slide(account: Account, stepMs: number, now: number): number {
  const { counts, stepAt } = fields
  const passed = Math.max(0, Math.floor((now - account[stepAt]) / stepMs))
  let sum = 0
  for (let step = stepsOfWindow - 1; step >= 0; step--) {
    const count = step < passed ? 0 : (account[counts + step - passed] ?? 0)
    account[counts + step] = count
    sum += count
  }
  if (sum > 0) account[stepAt] += passed * stepMs
  return sum
}

/** Returns when the bans and rejections of an account are forgotten, in ms since the epoch. */
export function computeForgetTime(account: Account, policy: BanPolicy): number {
  const { counts, bans, bannedUntil, stepAt } = fields
  let last = account[bans] > 0 ? account[bannedUntil] + policy.rememberMs : 0
  for (let step = 0; step < stepsOfWindow; step++)
    if ((account[counts + step] ?? 0) > 0)
      last = Math.max(last, account[stepAt] + (stepsOfWindow - step) * computeStepMs(policy))
  return last
}

/** A rejection counts for `withinMs`, and up to one step less. */
function computeStepMs({ withinMs }: BanPolicy): number {
  return Math.max(1, Math.floor(withinMs / stepsOfWindow))
}

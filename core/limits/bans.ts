import { isObject } from '../base/json.ts'
import { checkOptions, dropUndefined, isWholeNumber, type OptionRule } from '../base/options.ts'
import { type Account, windowSteps } from './account.ts'
import * as fields from './fields.ts'

/**
 * When an account is banned because a client ignores 429 responses, and for how long (spec 7, rule 3). All members are
 * integers from 1.
 *
 * Rejections are counted in streaks. A streak begins with a 429. All rejections in its first second count as one,
 * because the client may have sent these requests before it received the 429. Each later rejection counts.
 *
 * A streak ends when a ban starts, or when none of its rejections lies within `windowMs`. It also ends when a request
 * is allowed a second or more after the last 429, as after any `Retry-After`.
 */
export interface BanPolicy {
  /** Number of rejections within `windowMs` that starts a ban, 100 by default and at most 10,000. */
  readonly rejections: number
  /**
   * How long a rejection counts, in milliseconds. 60 s by default. The window slides in steps of 10 %, so a rejection
   * counts for 90 % to 100 % of this time.
   */
  readonly windowMs: number
  /** Length of the first ban, 15 minutes by default. Each further ban lasts twice as long as the previous one. */
  readonly firstBanMs: number
  /** Maximum length of a ban, 24 hours by default. */
  readonly maxBanMs: number
  /** How long a ban is remembered after it ends, 24 hours by default. A ban after that is a first ban again. */
  readonly resetAfterMs: number
}

/** Requests that arrive within this time after a rejection may have been sent before the client received it. */
export const inFlightGraceMs = 1_000

const maxRejections = 10_000

/** The default ban policy: 100 rejections within a minute start a 15-minute ban. Further bans double up to a day. */
export const defaultBanPolicy: BanPolicy = {
  rejections: 100,
  windowMs: 60_000,
  firstBanMs: 15 * 60_000,
  maxBanMs: 24 * 3_600_000,
  resetAfterMs: 24 * 3_600_000,
}

/**
 * Validates a limiter's option `ban`, and fills in the defaults.
 *
 * @param ban - Members that differ from the default policy, or `false` for no bans. All defaults apply if it is
 * `undefined`.
 * @returns The complete policy, or `undefined` for no bans.
 * @throws {TypeError} If a member is unknown or is not an integer from 1. The message names the member.
 *
 * @example
 * import { readBanPolicy } from 'pet-adoption-service/limiter'
 *
 * readBanPolicy({ rejections: 50 })?.windowMs // 60_000
 */
export function readBanPolicy(ban: Partial<BanPolicy> | false = {}): BanPolicy | undefined {
  if (ban === false) return undefined
  if (!isObject(ban)) throw new TypeError('options.ban must be false or an object')
  const wholeNumberRule: OptionRule = [(value) => isWholeNumber(value), 'a positive integer']
  const rejections: OptionRule = [
    (value) => isWholeNumber(value, 1, maxRejections),
    `an integer from 1 to ${maxRejections}`,
  ]
  const rules = {
    rejections,
    windowMs: wholeNumberRule,
    firstBanMs: wholeNumberRule,
    maxBanMs: wholeNumberRule,
    resetAfterMs: wholeNumberRule,
  }
  checkOptions(ban, rules, 'options.ban')
  return { ...defaultBanPolicy, ...dropUndefined(ban) }
}

/** Checks whether the account is banned at `now`. */
export function isBanned(account: Account, now: number): boolean {
  return now < account[fields.bannedUntil]
}

/**
 * Records a rejection, and bans the account when `policy.rejections` is reached. Rejections during a ban do not count.
 */
export function recordRejection(account: Account, policy: BanPolicy, now: number): void {
  if (isBanned(account, now)) return
  const countBefore = slideWindow(account, computeStepMs(policy), now)
  const isStreak =
    countBefore > 0 && account[fields.lastAllowedAt] < account[fields.lastRejectedAt] + inFlightGraceMs
  if (!isStreak) account[fields.streakStartedAt] = now
  if (countBefore === 0) account[fields.newestStepAt] = now
  account[fields.lastRejectedAt] = now
  // Rejections in a streak's first second count as one.
  if (isStreak && now < account[fields.streakStartedAt] + inFlightGraceMs) return
  account[fields.rejectionCounts] = (account[fields.rejectionCounts] ?? 0) + 1
  if (countBefore + 1 >= policy.rejections) banAccount(account, policy, now)
}

function banAccount(account: Account, { firstBanMs, maxBanMs, resetAfterMs }: BanPolicy, now: number): void {
  const isRemembered = now < account[fields.bannedUntil] + resetAfterMs
  const bans = isRemembered ? account[fields.banCount] + 1 : 1
  account[fields.banCount] = bans
  account[fields.bannedUntil] = now + Math.min(firstBanMs * 2 ** (bans - 1), maxBanMs)
  account.fill(0, fields.rejectionCounts, fields.rejectionCounts + windowSteps)
}

/** Slides the window to `now` and returns how many rejections it has. Step 0 is the newest. */
function slideWindow(account: Account, stepMs: number, now: number): number {
  const passedSteps = Math.max(0, Math.floor((now - account[fields.newestStepAt]) / stepMs))
  let sum = 0
  for (let step = windowSteps - 1; step >= 0; step--) {
    const rejectionCount =
      step < passedSteps ? 0 : (account[fields.rejectionCounts + step - passedSteps] ?? 0)
    account[fields.rejectionCounts + step] = rejectionCount
    sum += rejectionCount
  }
  if (sum > 0) account[fields.newestStepAt] += passedSteps * stepMs
  return sum
}

/** Returns the time when rejections and bans no longer affect the account, or 0 if it has none. */
export function computeExpiry(account: Account, policy: BanPolicy): number {
  let last = account[fields.banCount] > 0 ? account[fields.bannedUntil] + policy.resetAfterMs : 0
  for (let step = 0; step < windowSteps; step++)
    if ((account[fields.rejectionCounts + step] ?? 0) > 0)
      last = Math.max(last, account[fields.newestStepAt] + (windowSteps - step) * computeStepMs(policy))
  return last
}

function computeStepMs({ windowMs }: BanPolicy): number {
  return Math.max(1, Math.floor(windowMs / windowSteps))
}

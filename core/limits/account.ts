import {
  type BanPolicy,
  type BanRecord,
  countRefusals,
  createBanRecord,
  forgottenAt,
  isBanned,
  shiftBan,
} from './bans.ts'
import {
  type Bucket,
  charge,
  createBucket,
  type Decision,
  emptyAt,
  followClock,
  type Limit,
} from './bucket.ts'

/** All that a limiter keeps of one key. */
export interface Account {
  readonly bucket: Bucket
  /** Absent until the key is refused for the first time. */
  ban: BanRecord | undefined
}

/** An account of which nothing is used; `now` in ms since the epoch. */
export function createAccount(limits: readonly Limit[], now: number): Account {
  return { bucket: createBucket(limits, now), ban: undefined }
}

/**
 * Decides one request of an account at `clock` (ms since the epoch) and charges it; with a `cost` of 0 it only tells
 * the numbers. `policy` is undefined where refusals never become a ban. `refusedBefore` are refusals that were made
 * without asking, since the last call.
 *
 * Every limiter decides as this function does, wherever its accounts are kept.
 */
export function decide(
  account: Account,
  limits: readonly Limit[],
  policy: BanPolicy | undefined,
  clock: number,
  cost: 0 | 1 = 1,
  refusedBefore = 0,
): Decision {
  const { bucket } = account
  moveWithClock(account, clock)
  if (refusedBefore > 0) refuse(account, policy, clock, refusedBefore)
  if (account.ban && isBanned(account.ban, clock))
    return banned(account.ban, charge(bucket, limits, clock, 0), clock, cost)

  const decision = charge(bucket, limits, clock, cost)
  if (decision.allowed) return decision
  const ban = refuse(account, policy, clock, 1)
  return ban && isBanned(ban, clock) ? banned(ban, decision, clock, cost) : decision
}

/** Moves all of an account to a clock that has stepped back, so that nothing of it outlives its time. Answers by how many ms. */
export function moveWithClock(account: Account, clock: number): number {
  const back = followClock(account.bucket, clock)
  if (back > 0 && account.ban) shiftBan(account.ban, back)
  return back
}

/** From when on, in ms since the epoch, an account is the same as none. */
export function accountEmptyAt(
  account: Account,
  limits: readonly Limit[],
  policy: BanPolicy | undefined,
): number {
  const bucket = emptyAt(account.bucket, limits)
  return account.ban && policy ? Math.max(bucket, forgottenAt(account.ban, policy)) : bucket
}

function refuse(
  account: Account,
  policy: BanPolicy | undefined,
  now: number,
  count: number,
): BanRecord | undefined {
  if (!policy) return undefined
  account.ban ??= createBanRecord()
  if (!isBanned(account.ban, now)) countRefusals(account.ban, policy, now, count)
  return account.ban
}

function banned(ban: BanRecord, numbers: Decision, now: number, cost: 0 | 1): Decision {
  return {
    allowed: cost === 0,
    banned: true,
    limit: numbers.limit,
    remaining: 0,
    reset: Math.ceil(ban.until / 1000),
    waitMs: cost === 0 ? 0 : ban.until - now,
  }
}

import {
  type BanPolicy,
  type BanRecord,
  countRejections,
  createBanRecord,
  isBanned,
  recordEmptyAt,
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
  lastAdmission,
} from './bucket.ts'

/** All that a limiter stores of one key. */
export interface Account {
  readonly bucket: Bucket
  /** Undefined until the key is rejected for the first time. */
  ban: BanRecord | undefined
}

/** Rejections that a limiter made by itself since it last consulted the account. */
export interface EarlierRejections {
  /** How many of them count towards a ban. */
  readonly count: number
  /** When the last one was, counted or not, in milliseconds since the epoch. */
  readonly at: number
}

/** Creates an account of which nothing is used; `now` is in milliseconds since the epoch. */
export function createAccount(limits: readonly Limit[], now: number): Account {
  return { bucket: createBucket(limits, now), ban: undefined }
}

/**
 * Decides one request of an account and charges it. Every limiter decides as this function does, wherever its accounts are
 * stored.
 *
 * @param policy - Undefined where rejections never become a ban.
 * @param clock - Milliseconds since the epoch.
 * @param cost - 1 by default; with 0 it charges nothing, never rejects, and only returns the numbers.
 * @param earlier - What is recorded before the request is decided.
 */
export function decide(
  account: Account,
  limits: readonly Limit[],
  policy: BanPolicy | undefined,
  clock: number,
  cost: 0 | 1 = 1,
  earlier?: EarlierRejections,
): Decision {
  const { bucket } = account
  moveWithClock(account, clock)
  if (earlier) recordRejections(account, policy, earlier)
  if (account.ban && isBanned(account.ban, clock))
    return banned(account.ban, charge(bucket, limits, clock, 0), clock, cost)

  const decision = charge(bucket, limits, clock, cost)
  if (decision.allowed) return decision
  recordRejections(account, policy, { count: 1, at: clock })
  return account.ban && isBanned(account.ban, clock) ? banned(account.ban, decision, clock, cost) : decision
}

/** Moves an account to a clock that has stepped back, so that nothing of it outlives its time. Returns by how many ms. */
export function moveWithClock(account: Account, clock: number): number {
  const back = followClock(account.bucket, clock)
  if (back > 0 && account.ban) shiftBan(account.ban, back)
  return back
}

/** The time, in milliseconds since the epoch, from which an account is the same as none. */
export function accountEmptyAt(
  account: Account,
  limits: readonly Limit[],
  policy: BanPolicy | undefined,
): number {
  const bucket = emptyAt(account.bucket, limits)
  return account.ban && policy ? Math.max(bucket, recordEmptyAt(account.ban, policy)) : bucket
}

function recordRejections(
  account: Account,
  policy: BanPolicy | undefined,
  { count, at }: EarlierRejections,
): void {
  if (!policy || (account.ban ? isBanned(account.ban, at) : count === 0)) return
  account.ban ??= createBanRecord()
  countRejections(account.ban, policy, at, lastAdmission(account.bucket), count)
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

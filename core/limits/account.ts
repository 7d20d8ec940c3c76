import {
  type BanPolicy,
  type BanRecord,
  countRejections,
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
  lastAdmission,
  peek,
} from './bucket.ts'

/** All that a limiter stores of one key. It consists of numbers and arrays: it can be stored as JSON. */
export interface Account {
  /** What the key has used. */
  readonly bucket: Bucket
  /** Absent until a request of the key is rejected for the first time. */
  ban: BanRecord | undefined
}

/** Rejections that a limiter made without `decide` since its last call. */
export interface EarlierRejections {
  /** How many of them count towards a ban: none of the first second of a streak. */
  readonly count: number
  /** When the last one was, counted or not, in milliseconds since the epoch. */
  readonly at: number
}

/**
 * Creates the account of a key that has used nothing.
 *
 * @param limits The limits of the key.
 * @param now Milliseconds since the epoch.
 * @example
 * import { createAccount } from 'pet-adoption-service/limiter'
 *
 * const account = createAccount([{ requests: 60, windowMs: 60_000 }], Date.now())
 */
export function createAccount(limits: readonly Limit[], now: number): Account {
  return { bucket: createBucket(limits, now), ban: undefined }
}

/**
 * Decides one request of an account, and charges the account if the request is admitted. Every limiter decides as this
 * function does, wherever it stores its accounts.
 *
 * @param account The account, which is changed in place.
 * @param limits The limits of the key: `checkLimits` accepts them.
 * @param policy When rejections become a ban; undefined for no bans.
 * @param clock Milliseconds since the epoch. A clock that has stepped back is followed.
 * @param earlier The requests that were rejected without this function since its last call; undefined for none.
 * @returns The decision, for the headers of the response.
 * @example
 * import { createAccount, decide } from 'pet-adoption-service/limiter'
 *
 * const limits = [{ requests: 1, windowMs: 60_000 }]
 * const account = createAccount(limits, Date.now())
 * decide(account, limits, undefined, Date.now()).allowed // true
 * decide(account, limits, undefined, Date.now()).allowed // false
 */
export function decide(
  account: Account,
  limits: readonly Limit[],
  policy: BanPolicy | undefined,
  clock: number,
  earlier?: EarlierRejections,
): Decision {
  const { bucket } = account
  moveWithClock(account, clock)
  if (earlier) recordRejections(account, policy, earlier)
  if (account.ban && isBanned(account.ban, clock))
    return banned(account.ban, peek(bucket, limits, clock), account.ban.until - clock)

  const decision = charge(bucket, limits, clock)
  if (decision.allowed) return decision
  recordRejections(account, policy, { count: 1, at: clock })
  const { ban } = account
  return ban && isBanned(ban, clock) ? banned(ban, decision, ban.until - clock) : decision
}

/**
 * Returns the numbers of an account and charges nothing. The account changes only if the clock has stepped back.
 *
 * @param account The account.
 * @param limits The limits of the key: `checkLimits` accepts them.
 * @param clock Milliseconds since the epoch.
 * @returns A decision with `allowed: true` and `waitMs: 0`. Its other members are those of the account, also during a ban.
 * @example
 * import { createAccount, peekAccount } from 'pet-adoption-service/limiter'
 *
 * const limits = [{ requests: 60, windowMs: 60_000 }]
 * peekAccount(createAccount(limits, Date.now()), limits, Date.now()).remaining // 60
 */
export function peekAccount(account: Account, limits: readonly Limit[], clock: number): Decision {
  moveWithClock(account, clock)
  const numbers = peek(account.bucket, limits, clock)
  return account.ban && isBanned(account.ban, clock) ? banned(account.ban, numbers, 0) : numbers
}

/** Moves an account to a clock that has stepped back, so that no part of it lasts longer. Returns by how many ms it moved. */
export function moveWithClock(account: Account, clock: number): number {
  const back = followClock(account.bucket, clock)
  if (back > 0 && account.ban) shiftBan(account.ban, back)
  return back
}

/**
 * Returns when an account becomes the same as a new one. From then on a limiter may drop it.
 *
 * @param account The account, as the last decision left it.
 * @param limits The limits of the key.
 * @param policy The policy that decided.
 * @returns Milliseconds since the epoch.
 * @example
 * import { accountEmptyAt, createAccount, decide } from 'pet-adoption-service/limiter'
 *
 * const limits = [{ requests: 60, windowMs: 60_000 }]
 * const now = Date.now()
 * const account = createAccount(limits, now)
 * decide(account, limits, undefined, now)
 * accountEmptyAt(account, limits, undefined) // now + 60_000
 */
export function accountEmptyAt(
  account: Account,
  limits: readonly Limit[],
  policy: BanPolicy | undefined,
): number {
  const bucket = emptyAt(account.bucket, limits)
  return account.ban && policy ? Math.max(bucket, forgottenAt(account.ban, policy)) : bucket
}

function recordRejections(
  account: Account,
  policy: BanPolicy | undefined,
  { count, at }: EarlierRejections,
): void {
  if (!policy) return
  account.ban ??= createBanRecord()
  if (!isBanned(account.ban, at))
    countRejections(account.ban, policy, at, lastAdmission(account.bucket), count)
}

function banned({ until }: BanRecord, { limit }: Decision, waitMs: number): Decision {
  return { allowed: waitMs === 0, banned: true, limit, remaining: 0, reset: Math.ceil(until / 1000), waitMs }
}

import { type Account, fields, followClock } from './account.ts'
import {
  type BanPolicy,
  computeForgetTime,
  type EarlierRejections,
  isBanned,
  recordRejections,
} from './bans.ts'
import { charge, type Decision, type Limit } from './bucket.ts'

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
  // A list that is created with its length takes 33 % of the memory of a spread one.
  const account = new Array<number>(fields.limits + 3 * limits.length) as Account // it has that length at least
  empty(account, limits, now)
  return account
}

/** Makes an account the same as a new one. */
function empty(account: Account, limits: readonly Limit[], now: number): void {
  account.length = fields.limits + 3 * limits.length
  account.fill(0)
  account[fields.at] = account[fields.endsAt] = now
  for (let i = 0; i < limits.length; i++) account[fields.limits + 3 * i + 1] = now
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
  followClock(account, clock)
  if (clock >= accountEmptyAt(account)) empty(account, limits, clock)
  if (earlier && policy) recordRejections(account, policy, earlier)
  const numbers = charge(account, limits, clock, isBanned(account, clock) ? 0 : 1)
  if (policy && !numbers.allowed) recordRejections(account, policy, { count: 1, at: clock })
  if (policy && account[fields.rejectedAt] !== 0)
    account[fields.endsAt] = Math.max(account[fields.endsAt], computeForgetTime(account, policy))
  if (!isBanned(account, clock)) return numbers
  return { ...showBan(account, numbers), allowed: false, waitMs: account[fields.bannedUntil] - clock }
}

/**
 * Returns the numbers of an account and charges nothing. The account changes only if the clock has stepped back.
 *
 * @param account The account.
 * @param limits The limits of the key: `checkLimits` accepts them.
 * @param clock Milliseconds since the epoch.
 * @returns A decision with `allowed: true` and `waitMs: 0`. The other members describe the account, also during a ban.
 * @example
 * import { createAccount, peekAccount } from 'pet-adoption-service/limiter'
 *
 * const limits = [{ requests: 60, windowMs: 60_000 }]
 * peekAccount(createAccount(limits, Date.now()), limits, Date.now()).remaining // 60
 */
export function peekAccount(account: Account, limits: readonly Limit[], clock: number): Decision {
  followClock(account, clock)
  const isEmpty = clock >= accountEmptyAt(account)
  const numbers = charge(isEmpty ? createAccount(limits, clock) : [...account], limits, clock, 0)
  return isBanned(account, clock) ? showBan(account, numbers) : numbers
}

/** During a ban, nothing remains until its end. */
function showBan(account: Account, numbers: Decision): Decision {
  return {
    ...numbers,
    banned: true,
    remaining: 0,
    reset: Math.ceil(account[fields.bannedUntil] / 1000),
  }
}

/**
 * Returns when an account becomes the same as a new one, in milliseconds since the epoch. From then on a limiter may
 * drop it.
 *
 * @param account The account, as the last decision left it.
 * @example
 * import { accountEmptyAt, createAccount, decide } from 'pet-adoption-service/limiter'
 *
 * const limits = [{ requests: 60, windowMs: 60_000 }]
 * const now = Date.now()
 * const account = createAccount(limits, now)
 * decide(account, limits, undefined, now)
 * accountEmptyAt(account) // now + 60_000
 */
export function accountEmptyAt(account: Account): number {
  return account[fields.endsAt]
}

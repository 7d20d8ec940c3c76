import { type Account, shiftToClock } from './account.ts'
import { type BanPolicy, computeExpiry, isBanned, recordRejection } from './bans.ts'
import { chargeAccount, type Decision, type Limit } from './bucket.ts'
import * as fields from './fields.ts'

/**
 * Creates an account that has not sent any request.
 *
 * @param limits - The rate limits that apply to the account.
 * @param now - Current time in milliseconds since the epoch.
 *
 * @example
 * import { createAccount } from 'pet-adoption-service/limiter'
 *
 * const account = createAccount([{ requests: 60, windowMs: 60_000 }], Date.now())
 */
export function createAccount(limits: readonly Limit[], now: number): Account {
  // An array that is created with its length takes 33 % as much memory as a spread array.
  const account = new Array<number>(fields.firstLimit + 3 * limits.length) as Account // `resetAccount` fills the array
  resetAccount(account, limits, now)
  return account
}

/** Clears the account, and gives it fields for each limit. */
function resetAccount(account: Account, limits: readonly Limit[], now: number): void {
  account.length = fields.firstLimit + 3 * limits.length
  account.fill(0)
  account[fields.lastAllowedAt] = account[fields.expiresAt] = now
  for (let i = 0; i < limits.length; i++) account[fields.firstLimit + 3 * i + 1] = now
}

/**
 * Decides whether a request is allowed, and charges it to the account if it is. Every limiter decides like this
 * function, wherever it stores its accounts.
 *
 * @param account - The account, which is changed in place.
 * @param limits - Limits that `checkLimits` accepts. They may differ from earlier calls.
 * @param policy - When to ban the account, or `undefined` for no bans.
 * @param clock - Current time in milliseconds since the epoch. It may be set back between requests.
 * @returns The decision, for the headers of the response.
 *
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
): Decision {
  shiftToClock(account, clock)
  if (clock >= accountEmptyAt(account)) resetAccount(account, limits, clock)
  const chargedLimits = chargeAccount(account, limits, clock, isBanned(account, clock) ? 0 : 1)
  if (policy && !chargedLimits.allowed) recordRejection(account, policy, clock)
  if (policy && account[fields.lastRejectedAt] !== 0)
    account[fields.expiresAt] = Math.max(account[fields.expiresAt], computeExpiry(account, policy))
  if (!isBanned(account, clock)) return chargedLimits
  return {
    ...createBanDecision(account, limits),
    allowed: false,
    waitMs: account[fields.bannedUntil] - clock,
  }
}

/**
 * Returns an account's state without charging a request. The account changes only if the clock was set back.
 *
 * @param account - The account.
 * @param limits - Limits that `checkLimits` accepts.
 * @param clock - Current time in milliseconds since the epoch.
 * @returns A decision with `allowed: true` and `waitMs: 0`, also during a ban. The other members describe the account.
 *
 * @example
 * import { createAccount, peekAccount } from 'pet-adoption-service/limiter'
 *
 * const limits = [{ requests: 60, windowMs: 60_000 }]
 * peekAccount(createAccount(limits, Date.now()), limits, Date.now()).remaining // 60
 */
export function peekAccount(account: Account, limits: readonly Limit[], clock: number): Decision {
  shiftToClock(account, clock)
  const isEmpty = clock >= accountEmptyAt(account)
  const peekedLimits = chargeAccount(isEmpty ? createAccount(limits, clock) : [...account], limits, clock, 0)
  return isBanned(account, clock) ? createBanDecision(account, limits) : peekedLimits
}

/**
 * Creates the decision for a banned account: no requests remain until the ban ends. It does not change during the ban,
 * so a limiter can cache it.
 */
function createBanDecision(account: Account, [first]: readonly Limit[]): Decision {
  return {
    allowed: true,
    banned: true,
    limit: first?.requests ?? 0,
    remaining: 0,
    reset: Math.ceil(account[fields.bannedUntil] / 1000),
    waitMs: 0,
  }
}

/**
 * Returns the time when an account is like a new one, in milliseconds since the epoch. A limiter may delete the account
 * then.
 *
 * @param account - The account after its last decision.
 *
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
  return account[fields.expiresAt]
}

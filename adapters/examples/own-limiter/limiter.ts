import type { Account, BanPolicy, RateLimiter } from 'pet-adoption-service'
import { accountEmptyAt, checkLimits, createAccount, decide, readBanPolicy } from 'pet-adoption-service'
import type { AccountStorage } from './storage.ts'

/** Creates a limiter that counts requests in a storage, so that a restart loses no count. */
export function createStorageLimiter(
  storage: AccountStorage,
  { clock = Date.now, ban }: { clock?: () => number; ban?: BanPolicy | false } = {},
): RateLimiter {
  const policy = readBanPolicy(ban)
  return {
    consume(key, limits, cost) {
      checkLimits(limits)
      const now = clock()
      const stored = storage.get(key)
      const account: Account = stored === undefined ? createAccount(limits, now) : JSON.parse(stored)
      const decision = decide(account, limits, policy, now, cost)
      storage.set(key, JSON.stringify(account), accountEmptyAt(account, limits, policy))
      return decision
    },
  }
}

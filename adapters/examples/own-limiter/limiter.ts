import type { Account, BanPolicy, Limit, RateLimiter } from 'pet-adoption-service'
import {
  accountEmptyAt,
  checkLimits,
  createAccount,
  decide,
  peekAccount,
  readBanPolicy,
} from 'pet-adoption-service'
import type { AccountStorage } from './storage.ts'

/** Counts requests in a storage, so that a restart loses no count. */
export function createStorageLimiter(
  storage: AccountStorage,
  { clock = Date.now, ban }: { clock?: () => number; ban?: BanPolicy | false } = {},
): RateLimiter {
  const policy = readBanPolicy(ban)

  function load(key: string, limits: readonly Limit[], now: number): Account {
    checkLimits(limits)
    const stored = storage.get(key)
    return stored === undefined ? createAccount(limits, now) : JSON.parse(stored)
  }

  return {
    consume(key, limits) {
      const now = clock()
      const account = load(key, limits, now)
      const decision = decide(account, limits, policy, now)
      storage.set(key, JSON.stringify(account), accountEmptyAt(account, limits, policy))
      return decision
    },
    peek(key, limits) {
      const now = clock()
      return peekAccount(load(key, limits, now), limits, now)
    },
  }
}

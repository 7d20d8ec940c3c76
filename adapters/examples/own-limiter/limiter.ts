import * as rules from 'pet-adoption-service/limiter'
import type { AccountStorage } from './storage.ts'

/** Counts requests in a storage, so that a restart loses no count. */
export function createStorageLimiter(
  storage: AccountStorage,
  { clock = Date.now, ban }: { clock?: () => number; ban?: rules.BanPolicy | false } = {},
): rules.RateLimiter {
  const policy = rules.readBanPolicy(ban)
  function load(key: string, limits: readonly rules.Limit[], now: number): rules.Account {
    rules.checkLimits(limits)
    const stored = storage.get(key)
    return stored === undefined ? rules.createAccount(limits, now) : JSON.parse(stored)
  }
  return {
    consume(key, limits) {
      const account = load(key, limits, clock())
      const decision = rules.decide(account, limits, policy, clock())
      storage.set(key, JSON.stringify(account), rules.accountEmptyAt(account, limits, policy))
      return decision
    },
    peek: (key, limits) => rules.peekAccount(load(key, limits, clock()), limits, clock()),
  }
}

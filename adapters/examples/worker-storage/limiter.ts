import type { RateLimiter } from 'pet-adoption-service'
import type { Account } from './account.ts'

/** Creates a limiter that counts in Durable Objects, one for each key and address. */
export function createDurableLimiter(accounts: DurableObjectNamespace<Account>): RateLimiter {
  return {
    consume: async (key, limits) => accounts.getByName(key).decide(limits, true),
    peek: async (key, limits) => accounts.getByName(key).decide(limits, false),
  }
}

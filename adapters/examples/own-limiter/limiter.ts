import * as rules from 'pet-adoption-service/limiter'

/** Stores accounts, such as in a SQLite table. May delete an account at `expiresAt`, in Unix milliseconds. */
export type AccountStorage = {
  get(key: string): string | undefined
  set(key: string, account: string, expiresAt: number): void
}
type Options = { clock?: () => number; ban?: rules.BanPolicy | false }

/** Creates a rate limiter whose accounts survive a restart. */
export function createStorageLimiter(storage: AccountStorage, options: Options = {}): rules.RateLimiter {
  const [now, policy] = [options.clock ?? Date.now, rules.readBanPolicy(options.ban)]
  const load = (key: string, limits: readonly rules.Limit[]): rules.Account =>
    JSON.parse(storage.get(key) ?? JSON.stringify(rules.createAccount(limits, now())))
  return {
    consume(key, limits) {
      rules.checkLimits(limits)
      const account = load(key, limits)
      const decision = rules.decide(account, limits, policy, now())
      storage.set(key, JSON.stringify(account), rules.accountEmptyAt(account))
      return decision
    },
    peek: (key, limits) => rules.peekAccount(load(key, limits), limits, now()),
  }
}

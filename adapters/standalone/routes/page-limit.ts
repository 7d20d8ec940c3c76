import type { Decision, Limit } from '../../../core/index.ts'
import { type Account, createAccount, decide } from '../../../core/limiter.ts'

/** For all pages together. */
const limits: readonly Limit[] = [{ requests: 60, windowMs: 60_000 }]

/** How many client addresses are counted at once, in about 2 MB. */
const maxAddresses = 10_000

/** Charges the bucket of a client address for one page. */
export type PageLimit = (client: string) => Decision

/**
 * Creates the limit of the pages: 60 requests a minute for each client address, separate from the limits of the API and
 * without bans. An address beyond the most replaces the one that came first: other addresses can make the server forget
 * what an address has used, but never use up what it has left. `clock` returns the milliseconds since the epoch.
 */
export function createPageLimit(clock: () => number): PageLimit {
  const accounts = new Map<string, Account>()
  return (client) => {
    const account = accounts.get(client) ?? createAccount(limits, clock())
    const [first] = !accounts.has(client) && accounts.size >= maxAddresses ? accounts.keys() : []
    if (first !== undefined) accounts.delete(first)
    accounts.set(client, account)
    return decide(account, limits, undefined, clock())
  }
}

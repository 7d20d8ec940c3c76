import { createMemoryLimiter, type Decision, type Limit } from '../../../core/index.ts'

/** For all pages together. */
const limits: readonly Limit[] = [{ requests: 60, windowMs: 60_000 }]

/** How many client addresses have a bucket of their own, in about 1 MB. All further ones share one bucket. */
const maxAddresses = 10_000

/** Charges the bucket of a client address for one page. */
export type PageLimit = (client: string) => Decision

/**
 * Creates the limit of the pages: 60 requests a minute for each client address, separate from the limits of the API and
 * without bans. `clock` returns the milliseconds since the epoch.
 */
export function createPageLimit(clock: () => number): PageLimit {
  const limiter = createMemoryLimiter({ clock, maxAddresses, ban: false })
  return (client) => limiter.consume(`address:${client}`, limits)
}

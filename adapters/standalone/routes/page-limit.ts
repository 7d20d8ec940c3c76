import { createMemoryLimiter, type Decision, type Limit, type TrustProxy } from '../../../core/index.ts'
import { createClientReader, type Peer } from '../../../core/internal.ts'

/** For all pages together. */
const limits: readonly Limit[] = [{ requests: 60, windowMs: 60_000 }]

/** How many addresses are counted apart, in about 1 MB; all further ones share one bucket. */
const maxAddresses = 10_000

/** Charges the address of a peer for one page. */
export type PageLimit = (peer: Peer) => Decision

/**
 * The limit of the pages: 60 requests a minute for each address, apart from the limits of the API, and without bans.
 * `clock` returns the milliseconds since the epoch; `trustProxy` is that of the service.
 */
export function createPageLimit(clock: () => number, trustProxy?: TrustProxy): PageLimit {
  const readClient = createClientReader(trustProxy)
  const limiter = createMemoryLimiter({ clock, maxAddresses, ban: false })
  return (peer) => limiter.consume(`address:${readClient(peer)}`, limits)
}

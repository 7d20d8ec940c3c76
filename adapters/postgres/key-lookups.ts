import { ExpiringMap } from '../../core/internal.ts'
import type { FoundKey } from '../sql/keys.ts'
import { createGroups } from './groups.ts'

/** Maximum time a valid key is cached, in milliseconds. Afterwards a revoked key is rejected. */
const cacheMs = 5_000
/** Half of the maximum number of cached keys: about 4 MB. The oldest ones are evicted first. */
const maxCached = 5_000
/** Maximum number of queries in flight. A flood of unknown tokens leaves the other connections to the animals. */
const maxQueries = 4

/**
 * Creates lookups that share queries: in one turn of the event loop, and while `maxQueries` are in flight. Only valid
 * keys are cached, so unknown tokens evict no key.
 *
 * @param query - Returns the keys of hashes, each at most once.
 * @param clock - Returns milliseconds since the epoch.
 * @returns A function that finds the key of a hash, as it was at most 5 s ago; undefined if the hash is unknown.
 */
export function createKeyLookups(
  query: (hashes: readonly string[]) => Promise<readonly FoundKey[]>,
  clock: () => number,
): (sha256: string) => FoundKey | undefined | Promise<FoundKey | undefined> {
  const cached = new ExpiringMap<{ readonly key: FoundKey; readonly readAt: number }>(maxCached)
  const readTogether = createGroups(async (_name, hashes: readonly string[]) => {
    const readAt = clock()
    const keys = await query([...new Set(hashes)])
    const byHash = new Map(keys.map((key) => [key.sha256, key]))
    for (const sha256 of hashes) record(sha256, byHash.get(sha256), readAt)
    return hashes.map((sha256) => byHash.get(sha256))
  }, maxQueries)

  function record(sha256: string, key: FoundKey | undefined, readAt: number): void {
    if (!key || readAt >= key.endsAt) cached.delete(sha256)
    else cached.set(sha256, { key, readAt }, readAt, readAt + cacheMs)
  }

  return (sha256) => {
    const entry = cached.get(sha256)
    const age = entry ? clock() - entry.readAt : cacheMs
    // A key is read again after the clock was set back.
    return entry && age >= 0 && age < cacheMs ? entry.key : readTogether('', sha256)
  }
}

import type { FoundKey } from '../sql/keys.ts'
import { createGroups } from './groups.ts'

/**
 * How long a key that was found valid is not read again, in milliseconds: a revoked key is rejected after it at the
 * latest.
 */
const cacheMs = 5_000
/** About 4 MB. The oldest entry goes first. */
const maxCached = 10_000
/** How many queries run at a time: a flood of unknown tokens leaves the other connections of a pool to the animals. */
const maxQueries = 4

/**
 * Creates lookups that share queries: those of one turn of the event loop, and those that come while `maxQueries` are
 * under way. Only keys in force are cached, so unknown tokens replace none of them.
 *
 * @param query Returns the keys of these hashes, each at most once.
 * @param clock Returns the milliseconds since the epoch.
 * @returns a function that finds the key of a hash, as it was at most five seconds ago; undefined if there is none.
 */
export function createKeyLookups(
  query: (hashes: readonly string[]) => Promise<readonly FoundKey[]>,
  clock: () => number,
): (sha256: string) => FoundKey | undefined | Promise<FoundKey | undefined> {
  const cached = new Map<string, { readonly key: FoundKey; readonly readAt: number }>()
  const readTogether = createGroups(async (_name, hashes: readonly string[]) => {
    const readAt = clock()
    const keys = await query([...new Set(hashes)])
    const byHash = new Map(keys.map((key) => [key.sha256, key]))
    for (const sha256 of hashes) record(sha256, byHash.get(sha256), readAt)
    return hashes.map((sha256) => byHash.get(sha256))
  }, maxQueries)

  function record(sha256: string, key: FoundKey | undefined, readAt: number): void {
    cached.delete(sha256)
    if (!key || readAt >= key.endsAt) return
    const [oldest] = cached.keys()
    if (cached.size >= maxCached && oldest !== undefined) cached.delete(oldest)
    cached.set(sha256, { key, readAt })
  }

  return (sha256) => {
    const entry = cached.get(sha256)
    const age = entry ? clock() - entry.readAt : cacheMs
    // After a clock that has stepped back, a key is read again.
    return entry && age >= 0 && age < cacheMs ? entry.key : readTogether('', sha256)
  }
}

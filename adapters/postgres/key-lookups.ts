import { ExpiringMap } from '../../core/internal.ts'
import type { FoundKey } from '../sql/key-statements.ts'
import { createBatcher } from './batcher.ts'

const cacheTtlMs = 5_000
/** The cache holds up to twice as many keys, in about 4 MB. The oldest are evicted first. */
const maxCachedKeys = 5_000
/** Unknown keys cannot occupy more than these connections. */
const maxQueriesInFlight = 4

/**
 * Returns a function that finds keys by hash, or returns `undefined` if the hash is unknown. Valid keys are cached for
 * 5 s. Lookups share a query if they start in the same event loop turn, or while 4 queries are in flight. Unknown keys
 * are not cached, so they cannot evict valid ones.
 *
 * @param query - Returns the keys with these hashes, each at most once.
 * @param clock - Returns milliseconds since the epoch.
 */
export function createKeyLookups(
  query: (hashes: readonly string[]) => Promise<readonly FoundKey[]>,
  clock: () => number,
): (sha256: string) => FoundKey | undefined | Promise<FoundKey | undefined> {
  const cached = new ExpiringMap<{ readonly key: FoundKey; readonly readAt: number }>(maxCachedKeys)
  const readInBatch = createBatcher(async (_name, hashes: readonly string[]) => {
    const readAt = clock()
    const keys = await query([...new Set(hashes)])
    const byHash = new Map(keys.map((key) => [key.sha256, key]))
    for (const sha256 of hashes) record(sha256, byHash.get(sha256), readAt)
    return hashes.map((sha256) => byHash.get(sha256))
  }, maxQueriesInFlight)

  function record(sha256: string, key: FoundKey | undefined, readAt: number): void {
    if (!key || readAt >= key.validUntil) cached.delete(sha256)
    else cached.set(sha256, { key, readAt }, readAt, readAt + cacheTtlMs)
  }

  return (sha256) => {
    const entry = cached.get(sha256)
    const age = entry ? clock() - entry.readAt : cacheTtlMs
    // A negative age means that the clock was set back, so the key is read again.
    return entry && age >= 0 && age < cacheTtlMs ? entry.key : readInBatch('', sha256)
  }
}

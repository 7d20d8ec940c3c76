import { isInForce, type KeyRow } from '../sql/key-row.ts'
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
 * @param query Returns the rows of these hashes, each at most once.
 * @param clock Returns the milliseconds since the epoch.
 * @returns a function that finds the row of a hash, as it was at most five seconds ago; undefined if there is none.
 */
export function createKeyLookups(
  query: (hashes: readonly string[]) => Promise<readonly KeyRow[]>,
  clock: () => number,
): (sha256: string) => KeyRow | undefined | Promise<KeyRow | undefined> {
  const cached = new Map<string, { readonly row: KeyRow; readonly readAt: number }>()
  const readTogether = createGroups(async (_name, hashes: readonly string[]) => {
    const readAt = clock()
    const rows = await query([...new Set(hashes)])
    const byHash = new Map(rows.map((row) => [row.sha256, row]))
    for (const sha256 of hashes) record(sha256, byHash.get(sha256), readAt)
    return hashes.map((sha256) => byHash.get(sha256))
  }, maxQueries)

  function record(sha256: string, row: KeyRow | undefined, readAt: number): void {
    cached.delete(sha256)
    if (!row || !isInForce(row, readAt)) return
    const [oldest] = cached.keys()
    if (cached.size >= maxCached && oldest !== undefined) cached.delete(oldest)
    cached.set(sha256, { row, readAt })
  }

  return (sha256) => {
    const entry = cached.get(sha256)
    return entry && isFresh(entry.readAt, clock()) ? entry.row : readTogether('', sha256)
  }
}

/** After a clock that has stepped back, a key is read again. */
function isFresh(readAt: number, now: number): boolean {
  return readAt <= now && now < readAt + cacheMs
}

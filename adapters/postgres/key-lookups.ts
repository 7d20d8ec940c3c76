import { type CallerRow, isInForce } from '../sql/key-row.ts'

/** How long a key that was found valid is not read again, in milliseconds: a revoked key is rejected after it at the latest. */
const cacheMs = 5_000
/** About 4 MB. The oldest entry goes first. */
const maxCached = 10_000
/** How many queries run at a time: a flood of unknown tokens leaves the other connections of a pool to the animals. */
const maxQueries = 4
/** How many keys a query asks for. */
const maxHashes = 500

/** Finds keys by their hash. */
export interface KeyLookups {
  /** Returns the row of a key that was read at most five seconds ago; undefined if there is none. */
  find(sha256: string): CallerRow | undefined | Promise<CallerRow | undefined>
}

interface Lookup {
  readonly sha256: string
  readonly result: Promise<CallerRow | undefined>
  resolve(row: CallerRow | undefined): void
  reject(cause: unknown): void
}

/**
 * Creates lookups that share queries: one key is asked for once at a time, and the keys that are asked for while
 * `maxQueries` are under way share the next one. Only keys in force are cached, so unknown tokens replace none of them.
 *
 * @param query Returns the rows of these hashes, each at most once.
 * @param clock Returns the milliseconds since the epoch.
 */
export function createKeyLookups(
  query: (hashes: readonly string[]) => Promise<readonly CallerRow[]>,
  clock: () => number,
): KeyLookups {
  const cached = new Map<string, { readonly row: CallerRow; readonly readAt: number }>()
  const pending = new Map<string, Lookup>()
  let waiting: Lookup[] = []
  let queries = 0

  function ask(sha256: string): Promise<CallerRow | undefined> {
    const lookup = createLookup(sha256)
    pending.set(sha256, lookup)
    waiting.push(lookup)
    startQueries()
    return lookup.result
  }

  function startQueries(): void {
    while (queries < maxQueries && waiting.length > 0) {
      queries++
      void runQuery(waiting.slice(0, maxHashes))
      waiting = waiting.slice(maxHashes)
    }
  }

  async function runQuery(lookups: readonly Lookup[]): Promise<void> {
    const readAt = clock()
    try {
      const rows = await query(lookups.map(({ sha256 }) => sha256))
      const byHash = new Map(rows.map((row) => [row.sha256, row]))
      for (const { sha256, resolve } of lookups) {
        const row = byHash.get(sha256)
        record(sha256, row, readAt)
        resolve(row)
      }
    } catch (cause) {
      for (const { reject } of lookups) reject(cause)
    }
    for (const { sha256 } of lookups) pending.delete(sha256)
    queries--
    startQueries()
  }

  function record(sha256: string, row: CallerRow | undefined, readAt: number): void {
    cached.delete(sha256)
    if (!row || !isInForce(row, readAt)) return
    const [oldest] = cached.keys()
    if (cached.size >= maxCached && oldest !== undefined) cached.delete(oldest)
    cached.set(sha256, { row, readAt })
  }

  return {
    find(sha256) {
      const entry = cached.get(sha256)
      if (entry && isFresh(entry.readAt, clock())) return entry.row
      return pending.get(sha256)?.result ?? ask(sha256)
    },
  }
}

/** After a clock that has stepped back, a key is read again. */
function isFresh(readAt: number, now: number): boolean {
  return readAt <= now && now < readAt + cacheMs
}

function createLookup(sha256: string): Lookup {
  let resolve: Lookup['resolve'] = () => {}
  let reject: Lookup['reject'] = () => {}
  const result = new Promise<CallerRow | undefined>((...settle) => {
    ;[resolve, reject] = settle
  })
  return { sha256, result, resolve, reject }
}

import { runNextTurn } from '../breaker/next-turn.ts'
import type { SqliteDatabase } from './database.ts'

/** How often a store of this process has committed, on any connection. */
let commits = 0

/** Must be called after each commit of a store. */
export function noteCommit(): void {
  commits++
}

/**
 * The connections on which only the stores of this package run statements. Asking SQLite for their changes in each turn of
 * the event loop is enough: asking for each request takes a fifteenth of the time of `sqlite getPet`.
 */
export const reserved: WeakSet<SqliteDatabase> = new WeakSet()

/**
 * Creates a function that returns a number, which is greater than before if what was read from a file may have changed: by
 * statements that the embedder runs on this connection, by a store of this process, or by another process. What others than
 * these do is seen from the next turn of the event loop on: SQLite takes 2 µs to look, as long as for a row.
 *
 * @param countHarmless - Returns how many rows the store itself has changed without an effect on what is cached.
 */
export function createChangeCounter(database: SqliteDatabase, countHarmless: () => number): () => number {
  const version = database.prepare('PRAGMA data_version')
  const changes = database.prepare('SELECT total_changes() AS changes')
  let count = 0
  let seenCommits = 0
  let seenChanges: unknown
  let seenVersion: unknown
  let isSeenInThisTurn = false
  const isReserved = reserved.has(database)

  function look(): void {
    seenCommits = commits
    isSeenInThisTurn = true
    runNextTurn(() => {
      isSeenInThisTurn = false
    })
    // The row is that of SQLite's documentation.
    const { data_version } = (version.get() ?? {}) as { data_version?: unknown }
    if (data_version !== seenVersion) count++
    seenVersion = data_version
  }

  function lookAtConnection(): void {
    const row = (changes.get() ?? {}) as { changes?: number | bigint } // as above
    const harmfulChanges = Number(row.changes) - countHarmless()
    if (harmfulChanges !== seenChanges) count++
    seenChanges = harmfulChanges
  }

  return () => {
    const isDue = !isSeenInThisTurn || seenCommits !== commits
    if (isDue || !isReserved) lookAtConnection()
    if (isDue) look()
    return count
  }
}

/** Returns what is stored under a key; `read` gets it from the file. */
export type FileCache<Key, Value> = (key: Key, read: () => Value | undefined) => Value | undefined

/**
 * Creates a cache of what was found in a file. Anything that changes the file empties it. What is not in the file is not
 * cached, so requests for it replace nothing. The oldest entry goes first.
 *
 * @param countChanges - Returns a number that is greater than before once the file has changed.
 */
export function createFileCache<Key, Value>(
  countChanges: () => number,
  maxEntries: number,
): FileCache<Key, Value> {
  const cached = new Map<Key, Value>()
  let changes = 0

  return (key, read) => {
    const now = countChanges()
    if (now !== changes) cached.clear()
    changes = now
    const known = cached.get(key)
    if (known !== undefined) return known
    const found = read()
    if (found === undefined) return undefined
    const [oldest] = cached.keys()
    if (cached.size >= maxEntries && oldest !== undefined) cached.delete(oldest)
    cached.set(key, found)
    return found
  }
}

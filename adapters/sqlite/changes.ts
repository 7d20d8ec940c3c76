import { runNextTurn } from '../calls/next-turn.ts'
import type { SqliteDatabase } from './database.ts'

/** How often a store of this process has committed, on any connection. */
let commits = 0

/** Must be called after each commit of a store. */
export function noteCommit(): void {
  commits++
}

/**
 * Creates a function that returns a number, which is greater than before if what was read from a file may have changed. A
 * commit of a store of this process is seen at once; what other programs do, and statements of the embedder on this
 * connection, from the next turn of the event loop on: SQLite takes 2 µs to look, as long as for a row.
 *
 * @param countHarmless - Returns how many rows the store itself has changed without an effect on what is cached.
 */
export function createChangeCounter(database: SqliteDatabase, countHarmless: () => number): () => number {
  const version = database.prepare('PRAGMA data_version')
  const changes = database.prepare('SELECT total_changes() AS total')
  let count = 0
  let seenCommits = 0
  let seenChanges: unknown
  let seenVersion: unknown
  let isSeenInThisTurn = false

  function look(): void {
    seenCommits = commits
    isSeenInThisTurn = true
    runNextTurn(() => {
      isSeenInThisTurn = false
    })
    // The rows are those of SQLite's documentation.
    const { data_version } = version.get() as { data_version: unknown }
    const { total } = changes.get() as { total: number | bigint }
    const harmfulChanges = Number(total) - countHarmless()
    if (data_version !== seenVersion || harmfulChanges !== seenChanges) count++
    seenVersion = data_version
    seenChanges = harmfulChanges
  }

  return () => {
    if (!isSeenInThisTurn || seenCommits !== commits) look()
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

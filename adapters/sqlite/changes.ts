import { runNextTurn } from '../event-loop/index.ts'
import type { SqliteDatabase } from './database.ts'
import { failureAtWork } from './failure.ts'

/** How often a store of this process has committed, on any connection. */
let commits = 0

/** Must be called after each commit of a store. */
export function noteCommit(): void {
  commits++
}

/** What is known of the changes of the file behind a connection. */
export interface Changes {
  /**
   * How many rows the stores on the connection have changed without an effect on what is cached: on keys, and on full
   * pages, which end before new animals. As for SQLite, what was rolled back counts, and a statement that failed does
   * not.
   */
  harmless: number
  /**
   * Returns a number that is greater than before if what was read from the file may have changed. A commit of a store
   * of this process is seen at once; what other programs do, and statements of the embedder on this connection, from
   * the next turn of the event loop on: SQLite takes 2 µs to look, as long as for a row.
   */
  count(): number
}

const byDatabase = new WeakMap<SqliteDatabase, Changes>()

/** Returns what is known of the changes of a connection, which its stores share. */
export function changesOf(database: SqliteDatabase): Changes {
  const known = byDatabase.get(database)
  if (known) return known
  const version = database.prepare('PRAGMA data_version')
  const total = database.prepare('SELECT total_changes() AS total')
  let count = 0
  let seenCommits = 0
  let seenHarmful: unknown
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
    const row = total.get() as { total: number | bigint }
    const harmful = Number(row.total) - changes.harmless
    if (data_version !== seenVersion || harmful !== seenHarmful) count++
    seenVersion = data_version
    seenHarmful = harmful
  }

  const changes: Changes = {
    harmless: 0,
    count() {
      if (!isSeenInThisTurn || seenCommits !== commits) look()
      return count
    },
  }
  byDatabase.set(database, changes)
  return changes
}

/**
 * Creates a cache of what `read` finds in a file under a key. Anything that changes the file empties it. What is not in
 * the file is not cached, so requests for it replace nothing. The oldest entry goes first. Throws as `atWork` does.
 */
export function createFileCache<Key, Value>(
  changes: Changes,
  maxEntries: number,
  read: (key: Key) => Value | undefined,
): (key: Key) => Value | undefined {
  const cached = new Map<Key, Value>()
  let seen = 0

  return (key) => {
    try {
      const now = changes.count()
      if (now !== seen) cached.clear()
      seen = now
      const known = cached.get(key)
      if (known !== undefined) return known
      const found = read(key)
      if (found === undefined) return undefined
      const [oldest] = cached.size >= maxEntries ? cached.keys() : []
      if (oldest !== undefined) cached.delete(oldest)
      cached.set(key, found)
      return found
    } catch (error) {
      throw failureAtWork(error)
    }
  }
}

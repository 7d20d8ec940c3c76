import { runNextTurn } from '../event-loop/index.ts'
import type { SqliteDatabase } from './database.ts'
import { toWorkFailure } from './failure.ts'

/** Number of commits of the stores of this process, on all connections. */
let commits = 0

/** Counts a commit. Must be called after each commit of a store. */
export function noteCommit(): void {
  commits++
}

/** The changes of the file behind a connection. */
export interface Changes {
  /**
   * Number of rows that the stores on the connection have changed without an effect on cached keys and full pages, which
   * end before new animals. Changes that were rolled back count, as in SQLite, and failed statements do not.
   */
  harmless: number
  /**
   * Returns a number that is greater than before if the file may have changed. A commit of a store of this process is
   * seen immediately. Changes by other programs, and by statements of the embedder on this connection, are seen in the
   * next turn of the event loop, since SQLite takes 2 µs to check, as long as for a row.
   */
  count(): number
}

const byDatabase = new WeakMap<SqliteDatabase, Changes>()

/** Returns the changes of a connection, which its stores share. */
export function getChanges(database: SqliteDatabase): Changes {
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
    // SQLite documents these rows.
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
 * Creates a cache of the values that `read` finds in a file under a key. Any change of the file clears it. A missing
 * value is not cached, so requests for it evict nothing. The oldest entry is evicted first. Throws as `atWork` does.
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
      throw toWorkFailure(error)
    }
  }
}

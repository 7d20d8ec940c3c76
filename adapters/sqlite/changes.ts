import { runInNextTurn } from '../event-loop/index.ts'
import type { SqliteDatabase } from './database.ts'
import { toStoreError } from './failure.ts'

/** How many commits this process has made, to any database. */
let commits = 0

/** Makes all caches in this process check for changes, even in the same event loop turn. */
export function recordCommit(): void {
  commits++
}

/** Detects changes to a database, whichever connection made them. */
export interface ChangeDetector {
  /**
   * How many animals were created over this connection. New animals come after every full page, so creations do not
   * count as changes.
   */
  creationCount: number
  /** Counts a change over this connection. */
  invalidate(): void
  /**
   * Returns a number that increases when cached values may be outdated. Commits in this process are visible
   * immediately. Changes by other programs are visible in the next event loop turn: SQLite checks for them once per
   * turn, which takes 1 µs.
   */
  getVersion(): number
}

const byDatabase = new WeakMap<SqliteDatabase, ChangeDetector>()

/** Returns the database's change detector, which its stores share. */
export function getChangeDetector(database: SqliteDatabase): ChangeDetector {
  const known = byDatabase.get(database)
  if (known) return known
  const version = database.prepare('PRAGMA data_version')
  let count = 0
  let seenCommits = 0
  let seenVersion: unknown
  let isSeenInThisTurn = false

  function checkForChanges(): void {
    seenCommits = commits
    isSeenInThisTurn = true
    runInNextTurn(() => {
      isSeenInThisTurn = false
    })
    // `data_version` changes when another connection commits. SQLite documents the row's shape.
    const { data_version } = version.get() as { data_version: unknown }
    if (data_version !== seenVersion) count++
    seenVersion = data_version
  }

  const changes: ChangeDetector = {
    creationCount: 0,
    invalidate() {
      count++
    },
    getVersion() {
      if (!isSeenInThisTurn || seenCommits !== commits) checkForChanges()
      return count
    },
  }
  byDatabase.set(database, changes)
  return changes
}

/**
 * Caches what `read` returns until the database changes. A full cache evicts its oldest entry. `undefined` is not
 * cached, so requests for unknown keys evict nothing. The cache throws its errors as {@link toStoreError} returns them.
 */
export function createReadCache<Key, Value>(
  changes: ChangeDetector,
  maxEntries: number,
  read: (key: Key) => Value | undefined,
): (key: Key) => Value | undefined {
  const cached = new Map<Key, Value>()
  let seen = 0

  return (key) => {
    try {
      const now = changes.getVersion()
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
      throw toStoreError(error)
    }
  }
}

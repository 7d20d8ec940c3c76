import type { SqliteDatabase } from './database.ts'

/**
 * Creates a function that returns whether the file may have been changed since its last call by anything but the store:
 * by another connection, or by statements that the embedder runs on this one.
 *
 * @param countInserts - Returns how many insertions the store itself has run.
 */
export function createChangeDetector(database: SqliteDatabase, countInserts: () => number): () => boolean {
  const version = database.prepare('PRAGMA data_version')
  const changes = database.prepare('SELECT total_changes() AS changes')
  let seenVersion: unknown
  let seenChanges: unknown

  return () => {
    // Both rows are those of SQLite's documentation.
    const { data_version } = (version.get() ?? {}) as { data_version?: unknown }
    const row = (changes.get() ?? {}) as { changes?: number | bigint }
    const othersChanges = Number(row.changes) - countInserts()
    const isSame = data_version === seenVersion && othersChanges === seenChanges
    seenVersion = data_version
    seenChanges = othersChanges
    return !isSame
  }
}

import type { SqliteDatabase } from './database.ts'

/**
 * Creates a function that returns whether full pages may have changed since its last call: by another connection, by
 * statements that the embedder runs on this one, or by the store itself.
 *
 * @param countHarmless - Returns how many rows the store itself has changed without an effect on full pages.
 */
export function createChangeDetector(database: SqliteDatabase, countHarmless: () => number): () => boolean {
  const version = database.prepare('PRAGMA data_version')
  const changes = database.prepare('SELECT total_changes() AS changes')
  let seenVersion: unknown
  let seenChanges: unknown

  return () => {
    // Both rows are those of SQLite's documentation.
    const { data_version } = (version.get() ?? {}) as { data_version?: unknown }
    const row = (changes.get() ?? {}) as { changes?: number | bigint }
    const harmfulChanges = Number(row.changes) - countHarmless()
    const isSame = data_version === seenVersion && harmfulChanges === seenChanges
    seenVersion = data_version
    seenChanges = harmfulChanges
    return !isSame
  }
}

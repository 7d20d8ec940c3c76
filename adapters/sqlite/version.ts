import type { SqliteDatabase } from './database.ts'
import { migrations, newestVersion } from './migrations.ts'

/** `Pets` in ASCII: identifies files of this program. */
export const applicationId = 0x50_65_74_73

const identity = `
  SELECT application_id AS application, user_version AS version, (SELECT count(*) FROM sqlite_master) AS tables
  FROM pragma_application_id, pragma_user_version`

const structure = `
  SELECT master.name AS name, group_concat(info.name || ' ' || info.type, ', ') AS columns
  FROM sqlite_master AS master JOIN pragma_table_info(master.name) AS info
  WHERE master.type = 'table' GROUP BY master.name`

/**
 * Returns the schema version of a file: 0 for an empty one.
 *
 * A dump of `sqlite3` contains neither the id of the program nor the version, so a file that was restored from one is
 * recognized by its tables.
 *
 * @throws {Error} The file belongs to another program or a newer version. The message names the file and what to do.
 */
export function versionOf(database: SqliteDatabase, file: string): number {
  // One statement, since another process may be preparing the file. Its row has this shape.
  const row = database.prepare(identity).get() as Record<string, number | bigint>
  const [application, version, tables] = [row.application, row.version, row.tables].map(Number)
  if (tables === 0) return 0
  if (application === applicationId && version) {
    if (version <= newestVersion) return version
    throw new Error(
      `${file} was written by a newer version of this program (schema ${version}; this one knows ${newestVersion}): update this program`,
    )
  }
  const isUnnamed = application === 0 || application === applicationId
  const restored = isUnnamed && version === 0 ? versionOfTables(database) : 0
  if (restored > 0) return restored
  throw new Error(`${file} holds the tables of another program: give the animals a file of their own`)
}

/** Returns the version whose tables the file has, all of them with exactly their columns; 0 for none. */
function versionOfTables(database: SqliteDatabase): number {
  const found = columnsIn(database)
  const missing = migrations.findIndex((added) =>
    Object.entries(added).some(([table, { columns }]) => found.get(table) !== columns),
  )
  return missing < 0 ? newestVersion : missing
}

/** Returns the columns of each table. */
export function columnsIn(database: SqliteDatabase): ReadonlyMap<string, string> {
  // The rows of the statement have this shape.
  const rows = database.prepare(structure).all() as { name: string; columns: string }[]
  return new Map(rows.map(({ name, columns }) => [name, columns]))
}

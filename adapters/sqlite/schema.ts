import type { SqliteDatabase } from './driver.ts'
import { failureAtStart } from './failure.ts'

/** `Pets` in ASCII: tells our files from those of other programs. */
const applicationId = 0x50_65_74_73

/** The last of the versions that this program knows. */
const schemaVersion = 1

/** How long the start waits for another program's lock. */
const startLockMs = 5000

/**
 * AUTOINCREMENT, so that no id is used twice. The index ends in the id, as every index of SQLite does, so it gives the
 * animals of a status by ascending id.
 */
const schema = `
  CREATE TABLE IF NOT EXISTS pets (
    id INTEGER PRIMARY KEY AUTOINCREMENT CHECK (id <= 9007199254740991),
    name TEXT NOT NULL,
    category_id INTEGER NOT NULL,
    status TEXT CHECK (status IN ('available', 'pending', 'sold'))
  ) STRICT;
  CREATE INDEX IF NOT EXISTS pets_by_status ON pets (status);
  PRAGMA application_id = ${applicationId};
  PRAGMA user_version = ${schemaVersion};`

/**
 * Makes a database ready to keep animals: its tables, where it has none yet, and the settings of this connection.
 * Throws an `Error` that names the file and what is wrong with it.
 */
export function openSchema(database: SqliteDatabase): void {
  const file = fileOf(database)
  try {
    database.exec(`PRAGMA busy_timeout = ${startLockMs}`)
    refuseOthers(database, file)
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
    database.exec(`BEGIN IMMEDIATE; ${schema} COMMIT`)
    // From here on nobody waits for a lock inside SQLite: that would stop the whole process.
    database.exec('PRAGMA busy_timeout = 0')
  } catch (error) {
    throw failureAtStart(file, error)
  }
}

/** Before anything is written to it. */
function refuseOthers(database: SqliteDatabase, file: string): void {
  const count = (sql: string) => Number(Object.values(database.prepare(sql).get() ?? {})[0])
  const application = count('PRAGMA application_id')
  const version = count('PRAGMA user_version')
  if (application !== applicationId && count('SELECT count(*) FROM sqlite_master') > 0)
    throw new Error(`${file} holds the tables of another program: give the animals a file of their own`)
  if (application === applicationId && version > schemaVersion)
    throw new Error(
      `${file} was written by a newer version of this program (schema ${version}; this one knows ${schemaVersion}): update it`,
    )
}

function fileOf(database: SqliteDatabase): string {
  // The row is that of SQLite's documentation; the file of a database in memory is empty.
  const row = database.prepare('PRAGMA database_list').get() as { file?: string } | undefined
  return row?.file || 'the SQLite database'
}

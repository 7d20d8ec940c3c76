import type { SqliteDatabase } from './database.ts'
import { failureAtStart, isLocked } from './failure.ts'
import { retryMs } from './time.ts'

/** `Pets` in ASCII: identifies files of this program. */
const applicationId = 0x50_65_74_73

/** The newest version that this program knows. */
const schemaVersion = 1

/**
 * AUTOINCREMENT ensures that no id is used twice. The index ends in the id, as every index of SQLite does, so it lists the
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

const identity = `
  SELECT application_id AS application, user_version AS version, (SELECT count(*) FROM sqlite_master) AS tables
  FROM pragma_application_id, pragma_user_version`

/**
 * Prepares a database to store animals: creates its tables, where there are none yet, and sets up this connection.
 *
 * @param lockTimeoutMs - How long it waits for another process that writes to the file, by the clock.
 * @throws {Error} The file cannot be used; the message names it and what to do.
 */
export function openSchema(database: SqliteDatabase, lockTimeoutMs: number): void {
  const file = fileOf(database)
  try {
    // The wait of SQLite itself would stop the whole process, and does not cover the change to WAL.
    database.exec('PRAGMA busy_timeout = 0')
    waitForLock(lockTimeoutMs, () => {
      requireOwnFile(database, file)
      database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
      database.exec(`BEGIN IMMEDIATE; ${schema} COMMIT`)
    })
  } catch (error) {
    throw failureAtStart(file, error)
  }
}

/** Several processes may open a new file at once. The wait stops this process, which does not serve requests yet. */
function waitForLock(lockTimeoutMs: number, work: () => void): void {
  const never = new Int32Array(new SharedArrayBuffer(4))
  const deadline = performance.now() + lockTimeoutMs
  for (;;) {
    try {
      work()
      return
    } catch (error) {
      if (!isLocked(error) || performance.now() >= deadline) throw error
    }
    Atomics.wait(never, 0, 0, retryMs)
  }
}

/** Rejects a file of another program or a newer version, before anything is written to it. */
function requireOwnFile(database: SqliteDatabase, file: string): void {
  // One statement, since another process may be preparing the file. Its row has this shape.
  const { application, version, tables } = database.prepare(identity).get() as Record<string, number | bigint>
  if (Number(application) !== applicationId && Number(tables) > 0)
    throw new Error(`${file} holds the tables of another program: give the animals a file of their own`)
  if (Number(application) === applicationId && Number(version) > schemaVersion)
    throw new Error(
      `${file} was written by a newer version of this program (schema ${version}; this one knows ${schemaVersion}): update it`,
    )
}

function fileOf(database: SqliteDatabase): string {
  // The row is that of SQLite's documentation; the file of a database in memory is empty.
  const row = database.prepare('PRAGMA database_list').get() as { file?: string } | undefined
  return row?.file || 'the SQLite database'
}

import { anyValue, checkOptions, type OptionRule } from '../../core/internal.ts'
import {
  firstColumns,
  firstVersion,
  requireKnownVersion,
  type SchemaVersions,
} from '../sql/schema-versions.ts'
import type { SqliteDatabase, SqliteStoreOptions } from './database.ts'
import { isLocked, toStartFailure } from './failure.ts'
import { retryMs, rollBack } from './writer.ts'

/** `Pets` in ASCII: identifies files of this program. */
export const applicationId = 0x50_65_74_73

const columns = firstColumns('INTEGER')

/**
 * The migrations in their order, as statements that semicolons separate. The first one creates the first version. They
 * only add, so a program of the version before continues to work. A released migration never changes.
 *
 * AUTOINCREMENT ensures that no id is used twice. The index ends in the id, as every index of SQLite does, so it lists
 * the animals of a status by ascending id.
 */
const migrations: readonly string[] = [
  `
      CREATE TABLE pets (
        id INTEGER PRIMARY KEY AUTOINCREMENT CHECK (id <= 9007199254740991),${columns.pets}
      ) STRICT;
      CREATE INDEX pets_by_status ON pets (status);
      CREATE TABLE api_keys (${columns.keys}
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX api_keys_by_id ON api_keys (id);
      CREATE TABLE creation_keys (${columns.creations}
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX creation_keys_by_expiry ON creation_keys (expires_at);`,
]

/** The newest schema version, which this program uses. */
const newestVersion = firstVersion + migrations.length - 1

const identity = `
  SELECT application_id AS application, user_version AS version, (SELECT count(*) FROM sqlite_master) AS tables
  FROM pragma_application_id, pragma_user_version`

/**
 * Checks the options of a store, and prepares its database: runs the migrations that it lacks, in one transaction, and
 * sets up this connection. Any number of processes may do so simultaneously.
 *
 * @param more - The rules of its other options.
 * @throws {TypeError} An option is invalid or unknown; the message names it.
 * @throws {Error} The file cannot be used; the message names it and what to do.
 */
export function openDatabase(
  options: SqliteStoreOptions,
  more: Readonly<Record<string, OptionRule>> = {},
): Required<SqliteStoreOptions> & { readonly versions: SchemaVersions } {
  const lockTimeoutRule: OptionRule = [(value) => Number(value) >= 0, 'a number from 0']
  checkOptions(options, { database: anyValue, lockTimeoutMs: lockTimeoutRule, ...more })
  const { database, lockTimeoutMs = 5_000 } = options
  if (typeof database?.exec !== 'function' || typeof database.prepare !== 'function')
    throw new TypeError('options.database must be an open SQLite database, with exec and prepare')
  const file = readFileName(database)
  try {
    // The wait of SQLite itself does not cover the change to WAL.
    database.exec('PRAGMA busy_timeout = 0')
    const versions = waitForLock(lockTimeoutMs, () => {
      // Rejects a file of another program before anything is written to it.
      const found = readVersion(database, file)
      database.exec('PRAGMA synchronous = FULL; PRAGMA journal_mode = WAL')
      // A full disk, or one that is read-only, has animals that can be read.
      return found === newestVersion ? { from: found, to: found } : runMigrations(database, file)
    })
    return { database, lockTimeoutMs, versions }
  } catch (error) {
    throw toStartFailure(file, error)
  }
}

function runMigrations(database: SqliteDatabase, file: string): SchemaVersions {
  database.exec('BEGIN IMMEDIATE')
  try {
    const from = readVersion(database, file) // another process may have been faster
    for (const sql of migrations.slice(Math.max(0, from - firstVersion + 1))) database.exec(sql)
    database.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${newestVersion}; COMMIT`)
    return { from, to: newestVersion }
  } catch (error) {
    rollBack(database, error)
    throw error
  }
}

/** Retries while another process has the lock. The wait blocks this process, which does not serve requests yet. */
function waitForLock<T>(lockTimeoutMs: number, work: () => T): T {
  const never = new Int32Array(new SharedArrayBuffer(4))
  const deadline = performance.now() + lockTimeoutMs
  for (;;) {
    try {
      return work()
    } catch (error) {
      if (!isLocked(error) || performance.now() >= deadline) throw error
    }
    Atomics.wait(never, 0, 0, retryMs)
  }
}

function readFileName(database: SqliteDatabase): string {
  // SQLite documents this row. The file of a database in memory is empty.
  const row = database.prepare('PRAGMA database_list').get() as { file?: string } | undefined
  return row?.file || 'the SQLite database'
}

/**
 * Returns the schema version of a file: 0 for an empty one.
 *
 * @throws {Error} The file belongs to another program or another version. The message names the file and what to do.
 */
function readVersion(database: SqliteDatabase, file: string): number {
  // One statement, since another process may be preparing the file. Its row has this shape.
  const row = database.prepare(identity).get() as Record<
    'application' | 'version' | 'tables',
    number | bigint
  >
  const version = Number(row.version)
  if (Number(row.tables) === 0) return 0
  if (Number(row.application) !== applicationId)
    throw new Error(`${file} holds the tables of another program: give the animals a file of their own`)
  requireKnownVersion(file, version, newestVersion)
  return version
}

import { anyValueRule, checkOptions, type OptionRule } from '../../core/internal.ts'
import { type SchemaVersions, StartupError } from '../backend/index.ts'
import { createFirstColumns, firstVersion, requireKnownVersion } from '../sql/schema-versions.ts'
import type { SqliteDatabase, SqliteStoreOptions } from './database.ts'
import { isLockedError, toStartupError } from './failure.ts'
import { retryIntervalMs, rollBack } from './writer.ts'

/** Identifies this program's files in `PRAGMA application_id`. The bytes are "Pets" in ASCII. */
export const applicationId = 0x50_65_74_73

const columns = createFirstColumns('INTEGER')

/**
 * The migrations in order, as SQL. They only add to the tables, so programs with the previous version continue to work.
 * A released migration never changes.
 *
 * AUTOINCREMENT ensures that no id is assigned twice. SQLite adds the id to each index entry, so the index on the
 * status also sorts animals by id.
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

/** The schema version that this program uses. */
const newestVersion = firstVersion + migrations.length - 1

const selectSchemaState = `
  SELECT application_id AS application, user_version AS version, page_count AS pages,
    (SELECT count(*) FROM sqlite_master) AS tables
  FROM pragma_application_id, pragma_user_version, pragma_page_count`

/**
 * Validates a store's options and prepares its database.
 *
 * @param more - Rules for additional options.
 * @throws {TypeError} If an option is invalid or unknown.
 * @throws {StartupError} If the file is unusable, or stays locked.
 */
export function prepareFromOptions(
  options: SqliteStoreOptions,
  more: Readonly<Record<string, OptionRule>> = {},
): Required<SqliteStoreOptions> & { readonly versions: SchemaVersions } {
  const lockTimeoutRule: OptionRule = [(value) => Number(value) >= 0, 'a number from 0']
  checkOptions(options, { database: anyValueRule, lockTimeoutMs: lockTimeoutRule, ...more })
  const { database, lockTimeoutMs = 5_000 } = options
  if (typeof database?.exec !== 'function' || typeof database.prepare !== 'function')
    throw new TypeError('options.database must be an open SQLite database, with the methods exec and prepare')
  return { database, lockTimeoutMs, versions: prepareDatabase(database, lockTimeoutMs) }
}

/** Options for {@link prepareDatabase}. */
export interface Preparation {
  /** Whether to create or migrate the tables, true by default. */
  readonly migrate?: boolean
  /**
   * Whether to reject a file without tables unless it is empty. A truncated file has no tables, for example. False by
   * default.
   */
  readonly needsTables?: boolean
}

/**
 * Prepares a database: runs pending migrations in one transaction, and configures the connection. Any number of
 * processes can do so at the same time.
 *
 * @returns The schema versions before and after.
 * @throws {StartupError} If the file is unusable, or stays locked.
 */
export function prepareDatabase(
  database: SqliteDatabase,
  lockTimeoutMs: number,
  { migrate: migrates = true, needsTables = false }: Preparation = {},
): SchemaVersions {
  const file = readFileName(database)
  let migration: SchemaVersions | undefined
  try {
    // SQLite's own timeout does not cover the change to WAL.
    database.exec('PRAGMA busy_timeout = 0')
    return waitForLock(lockTimeoutMs, () => {
      // Rejects another program's file before writing to it.
      const { version, pages } = readSchemaState(database, file)
      if (needsTables && version === 0 && pages > 0)
        throw new StartupError(
          'unusable',
          `${file} has no tables, but is not empty: restore a backup, or choose another file`,
        )
      if (!migrates && version !== newestVersion)
        throw new StartupError('unusable', `${file} has missing or outdated tables: migrate the database`)
      database.exec('PRAGMA synchronous = FULL')
      // On a full or read-only disk, animals can still be read.
      if (version !== newestVersion) migration = runMigrations(database, file)
      // The tables come first: even if the process is killed, the file is empty or has them. If another process reads the
      // file, this statement fails, and the work is repeated without the migration.
      database.exec('PRAGMA journal_mode = WAL')
      return migration ?? { from: version, to: version }
    })
  } catch (error) {
    throw toStartupError(file, error)
  }
}

function runMigrations(database: SqliteDatabase, file: string): SchemaVersions {
  database.exec('BEGIN IMMEDIATE')
  try {
    const { version: from } = readSchemaState(database, file) // another process may have been faster
    for (const sql of migrations.slice(Math.max(0, from - firstVersion + 1))) database.exec(sql)
    database.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${newestVersion}; COMMIT`)
    return { from, to: newestVersion }
  } catch (error) {
    rollBack(database, error)
    throw error
  }
}

/**
 * Retries `work` while another process locks the database. The wait blocks the thread, which serves no requests yet.
 */
function waitForLock<T>(lockTimeoutMs: number, work: () => T): T {
  const never = new Int32Array(new SharedArrayBuffer(4))
  const deadline = performance.now() + lockTimeoutMs
  for (;;) {
    try {
      return work()
    } catch (error) {
      if (!isLockedError(error) || performance.now() >= deadline) throw error
    }
    Atomics.wait(never, 0, 0, retryIntervalMs)
  }
}

function readFileName(database: SqliteDatabase): string {
  // SQLite documents the row's shape. A database in memory has no file name.
  const row = database.prepare('PRAGMA database_list').get() as { file?: string } | undefined
  return row?.file || 'the SQLite database'
}

/**
 * Returns the schema version, which is 0 without tables, and the number of pages.
 *
 * @throws {StartupError} If the file belongs to another program or has an unsupported version.
 */
function readSchemaState(database: SqliteDatabase, file: string): { version: number; pages: number } {
  // One statement reads all values, because another process may be preparing the file. The cast lists its columns.
  const row = database.prepare(selectSchemaState).get() as Record<
    'application' | 'version' | 'tables' | 'pages',
    number | bigint
  >
  const [version, pages] = [Number(row.version), Number(row.pages)]
  if (Number(row.tables) === 0) return { version: 0, pages }
  if (Number(row.application) !== applicationId)
    throw new StartupError(
      'unusable',
      `${file} contains tables of another program: use a separate file for the animals`,
    )
  requireKnownVersion(file, version, newestVersion)
  return { version, pages }
}

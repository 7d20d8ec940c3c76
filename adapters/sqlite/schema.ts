import type { SchemaVersions } from '../sql/schema-versions.ts'
import type { SqliteDatabase } from './database.ts'
import { failureAtStart, isLocked, isReadOnly } from './failure.ts'
import { migrations, newestVersion } from './migrations.ts'
import { retryMs, rollBack } from './transaction.ts'

/** `Pets` in ASCII: identifies files of this program. */
export const applicationId = 0x50_65_74_73

const identity = `
  SELECT application_id AS application, user_version AS version, (SELECT count(*) FROM sqlite_master) AS tables
  FROM pragma_application_id, pragma_user_version`

const structure = `
  SELECT master.name AS name, group_concat(info.name || ' ' || info.type, ', ') AS columns
  FROM sqlite_master AS master JOIN pragma_table_info(master.name) AS info
  WHERE master.type = 'table' GROUP BY master.name`

/** How `migrate` is set up. */
export interface MigrateOptions {
  /** How long it waits for another program that writes to the file, in milliseconds by the clock: a number from 0; 5000 by default. */
  readonly lockTimeoutMs?: number
}

/**
 * Runs the migrations that a database lacks, in one transaction, as `createSqliteStore` does. Migrations only add, so a
 * program of an earlier version that has the file open goes on working. Any number of processes may call it at once.
 *
 * A table of a later version that is there already is adopted, and its rows are removed.
 *
 * @param database - An open database, as `SqliteStoreOptions` describes it. An empty one gets its tables.
 * @throws {TypeError} An option is invalid; the message names it.
 * @throws {Error} The file belongs to another program or a newer version, is damaged, read-only or locked. The message
 * names the file and what to do.
 * @returns the versions before and after; the same if nothing was missing.
 * @example
 * import { migrate, type SqliteDatabase } from 'pet-adoption-service/sqlite'
 *
 * declare const database: SqliteDatabase // such as new DatabaseSync('animals.sqlite') of node:sqlite
 * const { from, to } = migrate(database)
 */
export function migrate(
  database: SqliteDatabase,
  { lockTimeoutMs = 5000 }: MigrateOptions = {},
): SchemaVersions {
  requireDatabase(database, 'database')
  requireTimeout(lockTimeoutMs)
  return openSchema(database, lockTimeoutMs)
}

/**
 * Reads the schema version of a database, and the version that this program uses, without a change to the file.
 *
 * @throws {Error} The file belongs to another program or a newer version, or is damaged. The message names the file and
 * what to do.
 * @returns `to` is greater than `from` if `migrate` would change the file.
 * @example
 * import { readSchema, type SqliteDatabase } from 'pet-adoption-service/sqlite'
 *
 * declare const database: SqliteDatabase // such as new DatabaseSync('animals.sqlite') of node:sqlite
 * const { from, to } = readSchema(database)
 * if (from < to) console.log(`schema ${from}: migrate brings it to ${to}`)
 */
export function readSchema(database: SqliteDatabase): SchemaVersions {
  requireDatabase(database, 'database')
  const file = fileOf(database)
  try {
    return { from: versionOf(database, file), to: newestVersion }
  } catch (error) {
    throw failureAtStart(file, error)
  }
}

/** Throws a `TypeError` that names the option, unless its value is an open database. */
export function requireDatabase(database: SqliteDatabase, option: string): void {
  if (typeof database?.exec !== 'function' || typeof database.prepare !== 'function')
    throw new TypeError(`${option} must be an open SQLite database, with exec and prepare`)
}

/** Throws a `TypeError` that names the option, unless its value is a number from 0. */
export function requireTimeout(lockTimeoutMs: number): void {
  if (!(lockTimeoutMs >= 0)) throw new TypeError('options.lockTimeoutMs must be a number from 0')
}

/**
 * Prepares a database to store animals: runs the migrations that it lacks, and sets up this connection.
 *
 * @param lockTimeoutMs - How long it waits for another process that writes to the file, by the clock.
 * @throws {Error} The file cannot be used; the message names it and what to do.
 */
export function openSchema(database: SqliteDatabase, lockTimeoutMs: number): SchemaVersions {
  const file = fileOf(database)
  try {
    // The wait of SQLite itself would stop the whole process, and does not cover the change to WAL.
    database.exec('PRAGMA busy_timeout = 0')
    return waitForLock(lockTimeoutMs, () => {
      // Rejects a file of another program before anything is written to it.
      const isNewest = versionOf(database, file) === newestVersion && statesVersion(database)
      database.exec('PRAGMA synchronous = FULL')
      useWriteAheadLog(database)
      // A full disk, or one that is read-only, has animals that can be read.
      if (isNewest) return { from: newestVersion, to: newestVersion }
      database.exec('BEGIN IMMEDIATE')
      try {
        const from = versionOf(database, file)
        const emptied = runMigrations(database, from)
        database.exec(
          `PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${newestVersion}; COMMIT`,
        )
        return { from, to: newestVersion, ...(emptied.length > 0 && { emptied }) }
      } catch (error) {
        rollBack(database, error)
        throw error
      }
    })
  } catch (error) {
    throw failureAtStart(file, error)
  }
}

/**
 * Runs the migrations from a version on. Where the file states that version, a table that is there already was left by a
 * later one: the file knows nothing of its rows, and they are removed. Returns the names of such tables.
 */
function runMigrations(database: SqliteDatabase, from: number): readonly string[] {
  const isStated = statesVersion(database)
  const found = columnsIn(database)
  const added = migrations.slice(from).flatMap((migration) => Object.entries(migration))
  const present = new Set(
    added.filter(([name, { columns }]) => found.get(name) === columns).map(([name]) => name),
  )
  for (const [name, { sql }] of added) {
    if (!present.has(name)) database.exec(sql)
    else if (isStated) database.exec(`DELETE FROM ${name}`)
  }
  return isStated ? [...present] : []
}

/** Whether a file states its version, and is not recognized by its tables. */
function statesVersion(database: SqliteDatabase): boolean {
  const row = database.prepare('PRAGMA user_version').get() as { user_version?: unknown } | undefined // that of SQLite
  return Number(row?.user_version ?? 0) > 0
}

function useWriteAheadLog(database: SqliteDatabase): void {
  try {
    database.exec('PRAGMA journal_mode = WAL')
  } catch (error) {
    if (!isReadOnly(error)) throw error
  }
}

/** Several processes may open a new file at once. The wait stops this process, which does not serve requests yet. */
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

function fileOf(database: SqliteDatabase): string {
  // The row is that of SQLite's documentation; the file of a database in memory is empty.
  const row = database.prepare('PRAGMA database_list').get() as { file?: string } | undefined
  return row?.file || 'the SQLite database'
}

/**
 * Returns the schema version of a file: 0 for an empty one.
 *
 * A dump of `sqlite3` contains neither the id of the program nor the version, so a file that was restored from one is
 * recognized by its tables.
 *
 * @throws {Error} The file belongs to another program or a newer version. The message names the file and what to do.
 */
function versionOf(database: SqliteDatabase, file: string): number {
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
function columnsIn(database: SqliteDatabase): ReadonlyMap<string, string> {
  // The rows of the statement have this shape.
  const rows = database.prepare(structure).all() as { name: string; columns: string }[]
  return new Map(rows.map(({ name, columns }) => [name, columns]))
}

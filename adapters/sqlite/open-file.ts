import { closeSync, openSync } from 'node:fs'
import { resolve } from 'node:path'
import { StartupError } from '../backend/index.ts'
import type { SqliteDatabase } from './database.ts'
import { toStartupError } from './failure.ts'

/** A SQLite database that can be closed. */
export interface ClosableDatabase extends SqliteDatabase {
  /** Closes the database. */
  close(): unknown
}

/** A class whose constructor opens a SQLite file. */
export type SqliteDriver = new (file: string) => ClosableDatabase

/**
 * Returns the class `DatabaseSync` from node:sqlite.
 *
 * @throws {StartupError} If the runtime has no node:sqlite.
 */
export function findDriver(): SqliteDriver {
  // The types of Node 20 do not include this module.
  const builtIn = process.getBuiltinModule?.('node:sqlite') as { DatabaseSync: SqliteDriver } | undefined
  if (builtIn) return builtIn.DatabaseSync
  throw new StartupError(
    'missing_driver',
    'this runtime has no SQLite: use Node 22.13 or later, or pass the driver better-sqlite3 12',
  )
}

/**
 * Opens a SQLite file. A new file gets the mode 0600.
 *
 * @throws {StartupError} If the file cannot be opened.
 */
export function openFile(Database: SqliteDriver, path: string): ClosableDatabase {
  const file = resolve(path)
  try {
    // SQLite copies the file's mode to the -wal and -shm files.
    closeSync(openSync(file, 'a', 0o600))
  } catch {
    // SQLite opens the same file next, and its error explains the failure.
  }
  try {
    return new Database(file)
  } catch (cause) {
    throw toStartupError(path, cause)
  }
}

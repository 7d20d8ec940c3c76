import { closeSync, fsyncSync, openSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { toStartFailure } from '../../sqlite/failure.ts'
import type { SqliteDatabase } from '../../sqlite/index.ts'

/**
 * Copies a database into a new file, as it is at one moment, while servers use it. The file gets the mode 0600, is on
 * disk when this returns, and is removed if the copy fails.
 *
 * @throws {Error} The message names the file and what to do.
 */
export function backUp(database: SqliteDatabase, path: string): void {
  const file = resolve(path)
  const descriptor = createFile(path, file)
  try {
    database.exec('PRAGMA busy_timeout = 5000')
    database.prepare('VACUUM INTO ?').run(file)
    fsyncSync(descriptor)
  } catch (cause) {
    rmSync(file)
    throw toStartFailure(path, cause)
  } finally {
    closeSync(descriptor)
  }
}

/** Creates the file, which SQLite accepts while it is empty. */
function createFile(path: string, file: string): number {
  try {
    return openSync(file, 'wx', 0o600)
  } catch (cause) {
    const isThere = cause instanceof Error && 'code' in cause && cause.code === 'EEXIST'
    const problem = isThere ? 'exists already: name a new file' : 'cannot be created'
    throw new Error(`${path} ${problem}`, isThere ? {} : { cause })
  }
}

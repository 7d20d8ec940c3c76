import { closeSync, existsSync, fsyncSync, linkSync, openSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'
import type { SqliteDatabase } from './database.ts'
import type { OpenSqliteOptions } from './open.ts'
import { findDriver, openFile } from './open-file.ts'

/**
 * Copies a SQLite file to a new file, even while processes use it. The copy contains all commits up to one moment.
 * Tables from another version are copied unchanged. The new file gets the mode 0600. Until the copy is complete and on
 * the disk, its name ends in `.part`.
 *
 * @param options - The options `file` and `driver` have the same meaning as in {@link OpenSqliteOptions}.
 * @param newFile - Path for the copy, which must not exist.
 * @throws {StartupError} If the SQLite file cannot be opened.
 * @throws {Error} If the new file exists, or if the copy fails.
 *
 * @example
 * import { backUpSqlite } from 'pet-adoption-service/sqlite'
 *
 * backUpSqlite({ file: 'animals.sqlite' }, 'backup.sqlite')
 */
export function backUpSqlite(
  { file, driver = findDriver() }: Pick<OpenSqliteOptions, 'file' | 'driver'>,
  newFile: string,
): void {
  const target = resolve(newFile)
  const part = `${target}.part`
  if (existsSync(target)) throw createExistsError(newFile)
  const database = openFile(driver, file)
  removeParts(part) // a killed backup may have left them
  try {
    copy(database, part)
    linkSync(part, target) // unlike a rename, a link cannot replace a file
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'EEXIST') throw createExistsError(newFile)
    throw new Error(`${file} cannot be copied to ${newFile}`, { cause })
  } finally {
    removeParts(part)
    database.close()
  }
}

function copy(database: SqliteDatabase, part: string): void {
  const descriptor = openSync(part, 'wx', 0o600) // SQLite writes into an existing file if it is empty
  try {
    database.exec('PRAGMA busy_timeout = 5000')
    database.prepare('VACUUM INTO ?').run(part)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** Removes an incomplete copy, and the journal that SQLite leaves next to it when the disk is full. */
function removeParts(part: string): void {
  for (const file of [part, `${part}-journal`]) rmSync(file, { force: true })
}

function createExistsError(path: string): Error {
  return new Error(`${path} already exists: choose a new file`)
}

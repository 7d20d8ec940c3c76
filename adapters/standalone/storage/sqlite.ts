import { closeSync, existsSync, openSync } from 'node:fs'
import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import { wrapStore } from '../../../core/internal.ts'
import { toStartFailure } from '../../sqlite/failure.ts'
import { createSqliteKeyStore, createSqliteStore, type SqliteDatabase } from '../../sqlite/index.ts'
import { openDatabase } from '../../sqlite/schema.ts'
import type { Setting } from '../cli/values.ts'
import { explain, StartError, toStartError, UsageError } from '../errors.ts'
import { backUp } from './backup.ts'
import { findDiskProblem } from './disk.ts'
import { createFileCheck, type FileCheck } from './file-check.ts'
import type { LastingStorage } from './open-storage.ts'
import { createStorageBreakers } from './storage-breakers.ts'

type OpenDatabase = SqliteDatabase & { close(): void }

/** Opens a file, and creates it if it does not exist. */
type DatabaseClass = new (path: string) => OpenDatabase

/** Timeout of a write, in milliseconds: longer than its own wait for a lock, 5 s. */
const ms = 5_400

/**
 * Returns the class of node:sqlite if the runtime has it (Node from 22.13, Deno, Bun), otherwise of better-sqlite3 12 if
 * it is installed next to this program. Version 13 crashes Node 20.
 */
export function findSqlite(): DatabaseClass | undefined {
  // Its types are newer than Node 20's.
  const builtIn = process.getBuiltinModule?.('node:sqlite') as { DatabaseSync: DatabaseClass } | undefined
  if (builtIn) return builtIn.DatabaseSync
  const require = createRequire(import.meta.url)
  try {
    const { version } = require('better-sqlite3/package.json') as { version: string }
    return version.startsWith('12.') ? require('better-sqlite3') : undefined
  } catch {
    return undefined // it is not installed
  }
}

/**
 * A database file. It is a `StartError` if it cannot be opened, or lacks tables that are not to be created, and a
 * `UsageError` if the runtime has no SQLite. A new file gets the mode 0600; an existing one retains its mode.
 */
export function createSqliteStorage({ value: path, source }: Setting): LastingStorage {
  /** Opens or creates the file, and calls `work` with it. A failure closes it, and becomes a `StartError`. */
  async function withFile<T>(work: (database: OpenDatabase) => T | Promise<T>): Promise<T> {
    const Database = findSqlite()
    if (!Database) {
      throw new UsageError(
        `${source} needs SQLite, which Node ${process.versions.node} does not have: use Node 22.13 or later, run npm install better-sqlite3@12 next to this program, or use --postgres or --memory`,
      )
    }
    let database: OpenDatabase | undefined
    try {
      database = openFile(Database, path)
      return await work(database)
    } catch (cause) {
      database?.close()
      const problem = findDiskProblem(resolve(path), explain(cause, false))
      throw problem ? new StartError(`${source}: ${path} ${problem}`, { cause }) : toStartError(source, cause)
    }
  }

  function requireFile(advice = ''): void {
    if (!existsSync(path)) throw new StartError(`${source}: the file ${path} does not exist${advice}`)
  }

  return {
    async open(log, { migrates, clock }) {
      if (!migrates) requireFile(`: create it with pet-adoption-service migrate --data ${path}`)
      return withFile((database) => {
        const fileCheck = createFileCheck(resolve(path))
        const checked = checkedDatabase(database, fileCheck)
        const keys = createSqliteKeyStore({ database: checked, clock })
        const sqlite = createSqliteStore({ database: checked })
        const readOne = () => {
          fileCheck('now')
          sqlite.list({ limit: 1 })
        }
        const checks = { reads: readOne, writes: sqlite.checkWrites }
        const { writes, check } = createStorageBreakers(ms, checks, log)
        const store = wrapStore({ reads: sqlite, writes: sqlite }, (effect, method) => {
          if (effect === 'writes') return writes.wrap(method)
          return (...parameters) => {
            fileCheck('recently')
            return method(...parameters)
          }
        })
        return { store, keys, check, close: () => database.close() }
      })
    },
    async openForCommand(clock, creates) {
      if (!creates) requireFile()
      return withFile((database) => ({
        store: createSqliteStore({ database }),
        records: createSqliteKeyStore({ database, clock }),
        close: () => database.close(),
      }))
    },
    async backup(file) {
      requireFile()
      await withFile((database) => {
        backUp(database, file)
        database.close()
      })
    },
    migrate: () =>
      withFile((database) => {
        const { versions } = openDatabase({ database })
        database.close()
        return versions
      }),
  }
}

/** Returns a database whose changes fail if its file is gone, since they would be lost. */
function checkedDatabase(database: SqliteDatabase, fileCheck: FileCheck): SqliteDatabase {
  return {
    prepare: (sql) => database.prepare(sql),
    exec(sql) {
      if (sql.startsWith('BEGIN')) fileCheck('recently')
      database.exec(sql)
      if (sql === 'COMMIT') fileCheck('now')
    },
  }
}

function openFile(Database: DatabaseClass, path: string): OpenDatabase {
  const file = resolve(path)
  try {
    // A new file, which only its owner may read. SQLite gives the -wal and -shm files the mode of the database.
    closeSync(openSync(file, 'a', 0o600))
  } catch {
    // SQLite opens the same file next, and its error describes the failure.
  }
  try {
    return new Database(file)
  } catch (cause) {
    throw toStartFailure(path, cause)
  }
}

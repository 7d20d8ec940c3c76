import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Pet } from '../../core/index.ts'
import { booleanRule, checkOptions, functionRule, type OptionRule, wrapStore } from '../../core/internal.ts'
import {
  type BackendOptions,
  createStoreBreakers,
  StartupError,
  type StoreBackend,
} from '../backend/index.ts'
import type { SqliteDatabase } from './database.ts'
import { toStartupError } from './failure.ts'
import { createFileCheck, type FileCheck } from './file-check.ts'
import { createSqliteKeyStore } from './key-store.ts'
import { findDriver, openFile, type SqliteDriver } from './open-file.ts'
import { prepareDatabase } from './schema.ts'
import { createSqliteStore } from './store.ts'

/** Options for {@link openSqlite}. */
export interface OpenSqliteOptions extends BackendOptions {
  /** Path to the SQLite file, on a local disk. A missing file is created. */
  readonly file: string
  /**
   * The class that opens the file: `DatabaseSync` from node:sqlite, or `Database` from better-sqlite3 12 or bun:sqlite.
   *
   * @default `DatabaseSync` from node:sqlite, in Node from 22.13, Deno and Bun
   */
  readonly driver?: SqliteDriver
  /**
   * Whether to create or migrate the tables. If false, tables that need a migration are an error.
   *
   * @default true
   */
  readonly migrate?: boolean
}

/** Maximum time that a write waits for a locked file, in milliseconds. */
const lockWaitMs = 5_000
/** Maximum time for a write, in milliseconds. Longer than its wait for a lock. */
const timeoutMs = 5_400

const rules: Readonly<Record<keyof OpenSqliteOptions, OptionRule>> = {
  file: [(file) => typeof file === 'string' && file !== '', 'a path'],
  driver: functionRule,
  migrate: booleanRule,
  clock: functionRule,
  onEvent: functionRule,
}

/**
 * Opens a SQLite file with animals and API keys, for one machine. A new file gets the mode 0600; an existing file keeps
 * its mode. While writes fail, for example on a full disk, a circuit breaker rejects further writes immediately. If the
 * file is removed or replaced, all calls reject until it is restored, because SQLite would lose what it writes. Imports
 * and exports each open an additional connection.
 *
 * @throws {TypeError} If an option is invalid or unknown.
 * @throws {StartupError} If the runtime has no SQLite, or the file is unusable.
 *
 * @example
 * import { createPetService } from 'pet-adoption-service'
 * import { openSqlite } from 'pet-adoption-service/sqlite'
 *
 * const { store, keys } = await openSqlite({ file: 'animals.sqlite' })
 * const service = createPetService({ store, keys })
 */
export async function openSqlite(options: OpenSqliteOptions): Promise<StoreBackend> {
  checkOptions({ ...options, file: options?.file ?? '' }, rules)
  const { file, driver: Database = findDriver(), migrate: migrates = true, clock, onEvent } = options
  const path = resolve(file)
  if (!migrates && !existsSync(path))
    throw new StartupError('unusable', `the file ${file} does not exist: migrate the database first`)

  const database = openFile(Database, file)
  try {
    const versions = prepareDatabase(database, lockWaitMs, { migrate: migrates, needsTables: true })
    const fileCheck = createFileCheck(path)
    const checked = addFileCheck(database, fileCheck)
    const sqlite = createSqliteStore({ database: checked, lockTimeoutMs: lockWaitMs })
    const keys = createSqliteKeyStore({
      database: checked,
      lockTimeoutMs: lockWaitMs,
      ...(clock && { clock }),
    })
    const { writes, check } = createStoreBreakers({
      timeoutMs,
      checkReads() {
        fileCheck('now')
        sqlite.list({ limit: 1 })
      },
      checkWrites: sqlite.checkWrites,
      onEvent,
    })
    const store = wrapStore({ reads: sqlite, writes: sqlite }, (effect, method) => {
      if (effect === 'writes') return writes.wrap(method)
      return (...parameters) => {
        fileCheck('recently')
        return method(...parameters)
      }
    })

    /** Opens another connection, so that other calls continue during an import or export. */
    const openConnection = () => {
      const another = openFile(Database, file)
      const checked = addFileCheck(another, fileCheck)
      return { store: createSqliteStore({ database: checked, lockTimeoutMs: lockWaitMs }), database: another }
    }

    return {
      store: {
        ...store,
        async importPets(pets) {
          const { store, database } = openConnection()
          try {
            return await store.importPets(pets)
          } finally {
            database.close()
          }
        },
        async *exportPets(): AsyncGenerator<Pet> {
          const { store, database } = openConnection()
          try {
            yield* store.exportPets()
          } finally {
            database.close()
          }
        },
      },
      keys,
      versions,
      check,
      metrics: () => ({}),
      async close() {
        database.close()
      },
    }
  } catch (cause) {
    database.close()
    throw toStartupError(file, cause)
  }
}

/** Returns a database that checks its file before each transaction and after each commit. */
function addFileCheck(database: SqliteDatabase, fileCheck: FileCheck): SqliteDatabase {
  return {
    prepare: (sql) => database.prepare(sql),
    exec(sql) {
      if (sql.startsWith('BEGIN')) fileCheck('recently')
      database.exec(sql)
      if (sql === 'COMMIT') fileCheck('now')
    },
  }
}

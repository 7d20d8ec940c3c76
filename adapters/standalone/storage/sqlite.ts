import { accessSync, closeSync, constants, existsSync, openSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { wrapStore } from '../../../core/internal.ts'
import { failureAtStart, lacksRoom } from '../../sqlite/failure.ts'
import {
  createSqliteKeyStore,
  createSqliteStore,
  migrate,
  readSchema,
  type SqliteDatabase,
} from '../../sqlite.ts'
import type { Setting } from '../cli/settings.ts'
import { StartError, startWith } from '../errors.ts'
import { createFileCheck } from './file-check.ts'
import type { CommandOptions, LastingStorage } from './open-storage.ts'
import { loggedMigration, requireNewest } from './schema.ts'
import { createStorageLimits } from './storage-limits.ts'

type OpenDatabase = SqliteDatabase & { close(): void }

/** How a file is opened: `reads` for one that will not be changed. */
type Access = 'reads' | 'writes'

/** The part of node:sqlite that is used here. */
interface SqliteModule {
  readonly DatabaseSync: new (path: string | URL, options?: { readOnly: boolean }) => OpenDatabase
}

/** Longer than a creation waits for a lock by itself, five seconds; so many may wait. Reads never do. */
const limit = { ms: 5_400, max: 1_000 }

/** Returns node:sqlite where the runtime has it: Node from 22.13 on, Deno, Bun. */
export function sqliteModule(): SqliteModule | undefined {
  return process.getBuiltinModule?.('node:sqlite') as SqliteModule | undefined // its types are newer than Node 20's
}

/**
 * A database file. What cannot be opened, or lacks a migration that is not to be run, is a `StartError`. A new file gets the
 * mode 0600; an existing one retains its mode.
 */
export function sqliteStorage({ value: path, source }: Setting): LastingStorage {
  /** Opens the file, or creates it, and calls `work` with it. What fails becomes a `StartError` that names `source`. */
  function withFile<T>(access: Access, work: (database: OpenDatabase) => T): T {
    const sqlite = sqliteModule()
    if (!sqlite) {
      throw new StartError(
        `${source} needs node:sqlite, which Node ${process.versions.node} does not have: use Node 22.13 or later, --postgres, or --memory`,
      )
    }
    return startWith(source, () =>
      work(access === 'reads' ? openToRead(sqlite, path) : openFile(sqlite, path)),
    )
  }

  /** Opens the file for one piece of work. */
  function inFile<T>(access: Access, work: (database: OpenDatabase) => T): T {
    return withFile(access, (database) => {
      try {
        return work(database)
      } finally {
        database.close()
      }
    })
  }

  const migrateFile = () => inFile('writes', migrate)

  function requireMigrated(access: Access): void {
    if (!existsSync(path))
      throw new StartError(
        `${source}: there is no file ${path}: create it with pet-adoption-service migrate --data ${path}`,
      )
    requireNewest(inFile(access, readSchema), source, `--data ${path}`)
  }

  /** Creates or migrates the file of a command. A file that cannot be written is left as it is for a command that reads. */
  async function prepare({ creates, reads = false, log }: CommandOptions): Promise<Access> {
    if (!creates && !existsSync(path)) throw new StartError(`${source}: there is no file ${path}`)
    if (reads && !isWritable(path)) {
      requireMigrated('reads')
      return 'reads'
    }
    await loggedMigration(log, migrateFile)
    return 'writes'
  }

  return {
    async open(log, { migrates, clock }) {
      if (migrates) await loggedMigration(log, migrateFile)
      else requireMigrated('writes')
      return withFile('writes', (database) => {
        const keys = createSqliteKeyStore({ database, clock })
        const fileCheck = createFileCheck(resolve(path))
        const sqlite = createSqliteStore({ database: checkedOnCommit(database, fileCheck.now) })
        const { writes, health, check } = createStorageLimits(
          {
            reads: {
              ...limit,
              check() {
                fileCheck.now()
                sqlite.list({ limit: 1 })
              },
            },
            writes: { ...limit, check: sqlite.checkWrites },
          },
          log,
        )
        const store = wrapStore(sqlite, (effect, method) => {
          const checked: typeof method = (...parameters) => {
            fileCheck.recent()
            return method(...parameters)
          }
          return effect === 'reads' ? checked : writes.limited(checked)
        })
        return { store, keys, health, check, close: () => database.close() }
      })
    },
    async openForCommand(options) {
      return withFile(await prepare(options), (database) => ({
        store: createSqliteStore({ database }),
        records: createSqliteKeyStore({ database, clock: options.clock }),
        close: () => database.close(),
      }))
    },
    migrate: migrateFile,
  }
}

/** Returns a database whose changes are not acknowledged if its file is gone when they are committed. */
function checkedOnCommit(database: SqliteDatabase, checkFile: () => void): SqliteDatabase {
  return {
    prepare: (sql) => database.prepare(sql),
    exec(sql) {
      database.exec(sql)
      if (sql === 'COMMIT') checkFile()
    },
  }
}

/** SQLite also writes to the folder. Root may write to all but a read-only mount. */
function isWritable(path: string): boolean {
  try {
    for (const place of [path, dirname(resolve(path))]) accessSync(place, constants.W_OK)
    return true
  } catch {
    return false
  }
}

function openFile({ DatabaseSync }: SqliteModule, path: string): OpenDatabase {
  const file = resolve(path)
  createForOwner(file)
  try {
    const database = new DatabaseSync(file)
    if (canRead(database)) return database
    // On a full disk there is no room for the index of the write-ahead log, which this mode has in memory.
    database.close()
    const alone = new DatabaseSync(file)
    alone.exec('PRAGMA locking_mode = EXCLUSIVE')
    return alone
  } catch (cause) {
    throw failureAtStart(path, cause)
  }
}

/** Returns whether a database can be read, as far as the room on the disk is concerned. */
function canRead(database: OpenDatabase): boolean {
  try {
    database.prepare('SELECT count(*) FROM sqlite_master').get()
    return true
  } catch (error) {
    return !lacksRoom(error)
  }
}

/** Opens a file that nothing changes, such as one on a read-only mount, where SQLite needs neither log nor lock. */
function openToRead({ DatabaseSync }: SqliteModule, path: string): OpenDatabase {
  const file = resolve(path)
  const log = statSync(`${file}-wal`, { throwIfNoEntry: false })
  if (log?.size)
    throw new Error(
      `${path} cannot be written, and its newest animals are in ${path}-wal: copy both files elsewhere`,
    )
  const url = pathToFileURL(file)
  url.search = 'immutable=1'
  return new DatabaseSync(url, { readOnly: true })
}

/** Creates a new file that only its owner may read. SQLite gives the -wal and -shm files the mode of the database. */
function createForOwner(file: string): void {
  if (existsSync(file)) return
  try {
    closeSync(openSync(file, 'a', 0o600))
  } catch {
    // SQLite opens the same file next, and its error describes the failure.
  }
}

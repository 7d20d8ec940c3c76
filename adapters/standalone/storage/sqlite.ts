import { accessSync, closeSync, constants, existsSync, openSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { failureAtStart, lacksRoom } from '../../sqlite/failure.ts'
import {
  createSqliteKeyStore,
  createSqliteStore,
  migrate,
  readSchema,
  type SchemaVersions,
  type SqliteDatabase,
} from '../../sqlite.ts'
import { StartError, startWith } from '../errors.ts'
import type { Log } from '../log/log.ts'
import { createStorageBreaker } from './breaker/storage-breaker.ts'
import { createFileCheck, withFileCheck } from './file-check.ts'
import type { CommandOptions, OpenAnimals, OpenKeyRecords, OpenOptions, OpenStorage } from './open-storage.ts'
import { loggedMigration, requireNewest } from './schema.ts'

type OpenDatabase = SqliteDatabase & { close(): void }

/** How a file is opened: `reads` for one that will not be changed. */
type Access = 'reads' | 'writes'

/** The part of node:sqlite that is used here. */
interface SqliteModule {
  readonly DatabaseSync: new (path: string | URL, options?: { readOnly: boolean }) => OpenDatabase
}

/** Longer than a change waits for a lock by itself: five seconds. */
const time = { stepMs: 250, steps: 21, hurriedSteps: 3 }

/** Returns node:sqlite where the runtime has it: Node from 22.13 on, Deno, Bun. */
export function sqliteModule(): SqliteModule | undefined {
  return process.getBuiltinModule?.('node:sqlite') as SqliteModule | undefined // its types are newer than Node 20's
}

/**
 * Opens a database file, or creates it with the mode 0600; an existing file retains its mode. `source` is the flag or
 * variable that named it. Throws `StartError`, also for a file without the newest schema if `migrates` is false.
 */
export async function openSqlite(
  path: string,
  source: string,
  log: Pick<Log, 'warning' | 'info'>,
  { migrates, clock }: OpenOptions,
): Promise<OpenStorage> {
  if (migrates) await loggedMigration(log, () => migrateSqlite(path, source))
  else requireMigrated(path, source)
  return withFile(path, source, 'writes', (database) => {
    const sqlite = createSqliteStore({ database })
    const fileCheck = createFileCheck(resolve(path))
    const store = withFileCheck(sqlite, fileCheck)
    const breaker = createStorageBreaker(
      {
        reads: { time, check: () => store.list({ limit: 1 }) },
        writes: {
          time,
          async check() {
            fileCheck.now()
            await sqlite.checkWrites()
          },
        },
      },
      log,
    )
    return {
      store: breaker.guard(store),
      keys: createSqliteKeyStore({ database, clock }),
      health: breaker.health,
      check: breaker.check,
      close: () => database.close(),
    }
  })
}

/** Opens the keys of a database file. Throws `StartError`, also for a file that does not exist unless `creates` is true. */
export async function openSqliteKeys(
  path: string,
  source: string,
  options: CommandOptions,
): Promise<OpenKeyRecords> {
  const { clock } = options
  const access = await prepareFile(path, source, options)
  return withFile(path, source, access, (database) => ({
    records: createSqliteKeyStore({ database, clock }),
    close: () => database.close(),
  }))
}

/** Opens the animals of a database file. Throws `StartError`, also for a file that does not exist unless `creates` is true. */
export async function openSqliteAnimals(
  path: string,
  source: string,
  options: CommandOptions,
): Promise<OpenAnimals> {
  const access = await prepareFile(path, source, options)
  return withFile(path, source, access, (database) => ({
    store: createSqliteStore({ database }),
    close: () => database.close(),
  }))
}

/** Creates or migrates the file of a command. A file that cannot be written is left as it is for a command that reads. */
async function prepareFile(
  path: string,
  source: string,
  { creates, reads = false, log }: CommandOptions,
): Promise<Access> {
  if (!creates && !existsSync(path)) throw new StartError(`${source}: there is no file ${path}`)
  if (reads && !isWritable(path)) {
    requireMigrated(path, source, 'reads')
    return 'reads'
  }
  await loggedMigration(log, () => migrateSqlite(path, source))
  return 'writes'
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

/** Runs the migrations that a database file lacks, or creates it. Throws `StartError`. */
export function migrateSqlite(path: string, source: string): SchemaVersions {
  return withFile(path, source, 'writes', (database) => {
    try {
      return migrate(database)
    } finally {
      database.close()
    }
  })
}

/** Throws `StartError` if a file is missing, or lacks a migration; leaves it as it is. */
function requireMigrated(path: string, source: string, access: Access = 'writes'): void {
  if (!existsSync(path))
    throw new StartError(
      `${source}: there is no file ${path}: create it with pet-adoption-service migrate --data ${path}`,
    )
  const versions = withFile(path, source, access, (database) => {
    try {
      return readSchema(database)
    } finally {
      database.close()
    }
  })
  requireNewest(versions, source, `--data ${path}`)
}

/** Opens a database file, or creates it, and calls `work` with it. What fails becomes a `StartError` that names `source`. */
function withFile<T>(path: string, source: string, access: Access, work: (database: OpenDatabase) => T): T {
  const sqlite = sqliteModule()
  if (!sqlite) {
    throw new StartError(
      `${source} needs node:sqlite, which Node ${process.versions.node} does not have: use Node 22.13 or later, --postgres, or --memory`,
    )
  }
  return startWith(source, () => work(access === 'reads' ? openToRead(sqlite, path) : openFile(sqlite, path)))
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

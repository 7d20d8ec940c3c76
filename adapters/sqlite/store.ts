import type { Pet, PetPage, PetQuery, PetStore } from '../../core/index.ts'
import { PageCache, toPage } from '../../core/internal.ts'
import type { Transfer } from '../backend/index.ts'
import { type Immediate, type PetRow, type Promised, parsePetRow } from '../sql/store.ts'
import { createReadCache, getChangeDetector } from './changes.ts'
import type { SqliteStoreOptions } from './database.ts'
import { translateErrors } from './failure.ts'
import { createPetWrites, petColumns } from './pet-writes.ts'
import { prepareFromOptions } from './schema.ts'
import { exportPets, importPets } from './transfer.ts'
import { createHoldError, getWriter } from './writer.ts'

/**
 * A store for animals in a SQLite file, with imports and exports. Reads return immediately. Writes resolve when they
 * are on the disk.
 *
 * During an import, writes wait and reads throw `StoreUnavailableError`. During an export, writes on the same
 * connection wait, and reads return the animals from before it. Open the file a second time for imports and exports
 * next to a running server.
 */
export interface SqliteStore
  extends Immediate<PetStore, 'get' | 'list' | 'page' | 'findCreated'>,
    Promised<PetStore, 'create' | 'createOnce' | 'update' | 'remove'>,
    Transfer {
  /**
   * Checks whether animals can be created, without creating any. Waits at most 1 s for a locked file.
   *
   * @throws {StoreUnavailableError} If a creation would fail now, for example on a full disk.
   */
  checkWrites(): Promise<void>
}

/** Maximum time that a check waits for a locked file, in milliseconds. */
const checkWaitMs = 1_000

/** 1,000 animals take about 4 MB if their names have 1,000 characters. */
const maxCachedPets = 1_000

/** The column needs its table name. `id` alone would mean the selected text, which has no index and another order. */
const pageClause = 'pets.id > CAST(? AS INTEGER) ORDER BY pets.id LIMIT ?'

/**
 * Creates a store for animals in a SQLite file, for one machine. Missing tables are created.
 *
 * Reads are cached until the file changes. Changes by other programs and over other connections are visible in the next
 * event loop turn. Do not change data over this connection.
 *
 * A write resolves when it is committed and on the disk (WAL, `synchronous=FULL`). Writes in the same event loop turn
 * share a commit, and fail together if it fails. Methods throw `StoreUnavailableError` for failures that may pass, such
 * as a full disk, or a file that another program locks for longer than `lockTimeoutMs`.
 *
 * @throws {TypeError} If an option is invalid or unknown.
 * @throws {StartupError} If the file belongs to another program or an unsupported version, is damaged, is not writable
 * or stays locked.
 *
 * @example
 * import { createSqliteStore, type SqliteDatabase } from 'pet-adoption-service/sqlite'
 *
 * declare const database: SqliteDatabase // such as new DatabaseSync('animals.sqlite') of node:sqlite
 * const store = createSqliteStore({ database })
 */
export function createSqliteStore(options: SqliteStoreOptions): SqliteStore {
  const { database, lockTimeoutMs } = prepareFromOptions(options)
  const selectById = database.prepare(`SELECT ${petColumns} FROM pets WHERE pets.id = CAST(? AS INTEGER)`)
  const selectAny = database.prepare(`SELECT ${petColumns} FROM pets WHERE ${pageClause}`)
  const selectByStatus = database.prepare(
    `SELECT ${petColumns} FROM pets INDEXED BY pets_by_status WHERE status = ? AND ${pageClause}`,
  )
  const writer = getWriter(database)
  const writeOptions = { maxWaitMs: lockTimeoutMs }
  const writes = createPetWrites(database)
  const pages = new PageCache()
  const changes = getChangeDetector(database)
  const findPet = createReadCache(changes, maxCachedPets, (id: bigint) => {
    // The statement selects the columns in a `PetRow`. Drivers return `undefined` or `null` if the animal does not
    // exist.
    const row = selectById.get(String(id)) as PetRow | undefined | null
    return row ? Object.freeze(parsePetRow(row)) : undefined
  })
  let pagesVersion = 0

  function read<T>(rows: () => T): T {
    if (writer.isImporting) throw createHoldError('import')
    return translateErrors(rows)
  }

  function list({ limit, status, after = 0n }: PetQuery): readonly Pet[] {
    const from = String(after)
    const rows = status ? selectByStatus.all(status, from, limit) : selectAny.all(from, limit)
    return (rows as PetRow[]).map(parsePetRow) // the statements select these columns
  }

  function readPage(query: PetQuery): PetPage {
    return toPage(list({ ...query, limit: query.limit + 1 }), query.limit)
  }

  return {
    create: writer.wrap((pet) => writes.create(pet), writeOptions),
    createOnce: writer.wrap(writes.createOnce, writeOptions),
    findCreated: (key) => read(() => writes.findCreated(key)),
    update: writer.wrap(writes.update, writeOptions),
    remove: writer.wrap(writes.remove, writeOptions),
    checkWrites: writer.wrap(writes.check, { maxWaitMs: Math.min(lockTimeoutMs, checkWaitMs) }),
    importPets: (pets) => importPets(database, writes, pets, lockTimeoutMs),
    exportPets: () => exportPets(database, lockTimeoutMs),
    get: (id) => read(() => findPet(id)),
    list: (query) => read(() => list(query)),
    page(query) {
      return read(() => {
        const count = changes.getVersion()
        if (count !== pagesVersion) pages.clear()
        pagesVersion = count
        return pages.getPage(query, readPage, changes.creationCount)
      })
    },
  }
}

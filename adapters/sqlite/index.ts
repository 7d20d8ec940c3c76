import type { Pet, PetPage, PetQuery, PetStore } from '../../core/index.ts'
import { PageCache, toPage } from '../../core/internal.ts'
import { type Immediate, type PetRow, type Promised, parsePetRow, type Transfer } from '../sql/store.ts'
import { createFileCache, getChanges } from './changes.ts'
import type { SqliteStoreOptions } from './database.ts'
import { atWork } from './failure.ts'
import { columns, createPetWrites } from './pet-writes.ts'
import { openDatabase } from './schema.ts'
import { exportFrom, importInto } from './transfer.ts'
import { createHoldFailure, findWriter } from './writer.ts'

export type { KeyChange, KeyCount, KeyRecords, KeySelection } from '../sql/key-records.ts'
export type { Immediate, Promised, Transfer } from '../sql/store.ts'
export type {
  SqliteDatabase,
  SqliteStatement,
  SqliteStoreOptions,
  SqliteValue,
} from './database.ts'
export { createSqliteKeyStore, type SqliteKeyStore, type SqliteKeyStoreOptions } from './keys.ts'

/**
 * A store whose reads return immediately, and whose changes fulfill when they are on disk.
 *
 * During an import, changes wait and reads throw `StoreUnavailable`. During an export, changes on this connection wait,
 * and reads return the animals as they were when it began. To import or export next to a running server, open the file
 * a second time.
 */
export interface SqliteStore
  extends Immediate<PetStore, 'get' | 'list' | 'page' | 'findCreated'>,
    Promised<PetStore, 'create' | 'createOnce' | 'update' | 'remove'>,
    Transfer {
  /**
   * Checks that animals can be created, and stores none: creates one, rolls it back, and commits without a change.
   * Rejects as `create` does: on a full disk, without write permission, and after its wait for a lock.
   */
  checkWrites(): Promise<void>
}

/** Up to 4 MB with names of 1,000 characters. */
const maxCachedPets = 1_000

/** `pets.id` is the column; `id` would be the text of that name, which has no index and another order. */
const page = 'pets.id > CAST(? AS INTEGER) ORDER BY pets.id LIMIT ?'

/**
 * Creates a store of animals in a SQLite file, for one machine. It prepares an empty file.
 *
 * Reads are cached until the file changes. Changes by other programs, and by your own statements, are seen in the next
 * turn of the event loop.
 *
 * A change fulfills when it is committed and on disk (WAL, `synchronous=FULL`). The changes of one turn of the event
 * loop share a commit, and fail together if it fails. The methods throw `StoreUnavailable` if a failure may pass, such
 * as a full disk or a lock that another program holds for longer than `lockTimeoutMs`.
 *
 * @throws {TypeError} An option is invalid or unknown; the message names it.
 * @throws {Error} The file belongs to another program or another version, is damaged, read-only or locked. The message
 * names the file and what to do.
 * @example
 * import { createSqliteStore, type SqliteDatabase } from 'pet-adoption-service/sqlite'
 *
 * declare const database: SqliteDatabase // such as new DatabaseSync('animals.sqlite') of node:sqlite
 * const store = createSqliteStore({ database })
 */
export function createSqliteStore(options: SqliteStoreOptions): SqliteStore {
  const { database, lockTimeoutMs } = openDatabase(options)
  const one = database.prepare(`SELECT ${columns} FROM pets WHERE pets.id = CAST(? AS INTEGER)`)
  const any = database.prepare(`SELECT ${columns} FROM pets WHERE ${page}`)
  const byStatus = database.prepare(
    `SELECT ${columns} FROM pets INDEXED BY pets_by_status WHERE status = ? AND ${page}`,
  )
  const writer = findWriter(database)
  const writeOptions = { waitMs: lockTimeoutMs }
  const writes = createPetWrites(database)
  const pages = new PageCache()
  const changes = getChanges(database)
  const findPet = createFileCache(changes, maxCachedPets, (id: bigint) => {
    // The rows of these statements have this shape; drivers return undefined or null for none.
    const row = one.get(String(id)) as PetRow | undefined | null
    return row ? Object.freeze(parsePetRow(row)) : undefined
  })
  let changesOfPages = 0

  function read<T>(rows: () => T): T {
    if (writer.isImporting) throw createHoldFailure('import')
    return atWork(rows)
  }

  function list({ limit, status, after = 0n }: PetQuery): readonly Pet[] {
    const from = String(after)
    const rows = status ? byStatus.all(status, from, limit) : any.all(from, limit)
    return (rows as PetRow[]).map(parsePetRow) // the rows have this shape, as below
  }

  function readPage(query: PetQuery): PetPage {
    return toPage(list({ ...query, limit: query.limit + 1 }), query.limit)
  }

  return {
    create: writer.writing((pet) => writes.create(pet), writeOptions),
    createOnce: writer.writing(writes.createOnce, writeOptions),
    findCreated: (key) => read(() => writes.findCreated(key)),
    update: writer.writing(writes.update, writeOptions),
    remove: writer.writing(writes.remove, writeOptions),
    checkWrites: writer.writing(writes.check, writeOptions),
    importPets: (pets) => importInto(database, writes, pets, lockTimeoutMs),
    exportPets: () => exportFrom(database, lockTimeoutMs),
    get: (id) => read(() => findPet(id)),
    list: (query) => read(() => list(query)),
    page(query) {
      return read(() => {
        const count = changes.count()
        if (count !== changesOfPages) pages.clear()
        changesOfPages = count
        return pages.page(query, readPage, changes.harmless)
      })
    },
  }
}

import type { NewPet, Pet, PetQuery, PetStore } from '../core/index.ts'
import { createPageCache, type PetRow, petOfRow } from '../core/internal.ts'
import { createChangeDetector } from './sqlite/changes.ts'
import type { SqliteDatabase } from './sqlite/database.ts'
import { failureAtWork } from './sqlite/failure.ts'
import { openSchema } from './sqlite/schema.ts'
import { createWriter, importUnderWay } from './sqlite/writer.ts'

export type { SqliteDatabase, SqliteStatement, SqliteValue } from './sqlite/database.ts'

/** How `createSqliteStore` is set up. */
export interface SqliteStoreOptions {
  /**
   * An open database: a `DatabaseSync` of node:sqlite, or a `Database` of better-sqlite3 or bun:sqlite. Run no transaction
   * of your own on it. Close it when no request is in progress any more; the store does not.
   */
  readonly database: SqliteDatabase
  /**
   * How long the start and each creation wait at most, in milliseconds by the clock: a number from 0; 5000 by default. They
   * wait while another program writes to the file, and creations also while an import is under way on the same connection.
   */
  readonly lockTimeoutMs?: number
}

/** A store whose reads return at once, and whose creations fulfill when they are on disk. */
export interface SqliteStore extends PetStore {
  create(pet: NewPet): Promise<Pet>
  get(id: bigint): Pet | undefined
  list(query: PetQuery): readonly Pet[]
  /**
   * Stores all of these animals, or none if one cannot be stored or `pets` throws. Returns how many they were.
   *
   * Animals are written as they come, and not held in memory. During the import creations wait, and reads throw
   * `StoreUnavailable`. To import beside a running server, open the file a second time.
   */
  importPets(pets: Iterable<NewPet> | AsyncIterable<NewPet>): Promise<number>
}

const columns = 'CAST(id AS TEXT) AS id, name, CAST(category_id AS TEXT) AS categoryId, status'
/** `pets.id` is the column; `id` would be the text of that name, which has no index and another order. */
const page = 'pets.id > CAST(? AS INTEGER) ORDER BY pets.id LIMIT ?'

/**
 * Creates a store that stores animals in a SQLite file, for one machine. It prepares an empty file.
 *
 * A creation fulfills once it is committed and on disk (WAL, `synchronous=FULL`). Creations of one turn of the event loop
 * share a commit, and fail together if it fails. The methods throw `StoreUnavailable` for a failure that may pass, such
 * as a full disk or a lock that another program holds for longer than `lockTimeoutMs`.
 *
 * @throws {TypeError} An option is invalid; the message names it.
 * @throws {Error} The file belongs to another program or a newer version, is damaged, read-only or locked. The message
 * names the file and what to do.
 * @example
 * import { createSqliteStore, type SqliteDatabase } from 'pet-adoption-service/sqlite'
 *
 * declare const database: SqliteDatabase // such as new DatabaseSync('animals.sqlite') of node:sqlite
 * const store = createSqliteStore({ database })
 */
export function createSqliteStore({ database, lockTimeoutMs = 5000 }: SqliteStoreOptions): SqliteStore {
  if (typeof database?.exec !== 'function' || typeof database.prepare !== 'function')
    throw new TypeError('options.database must be an open SQLite database, with exec and prepare')
  if (!(lockTimeoutMs >= 0)) throw new TypeError('options.lockTimeoutMs must be a number from 0')
  openSchema(database, lockTimeoutMs)
  const one = database.prepare(`SELECT ${columns} FROM pets WHERE pets.id = CAST(? AS INTEGER)`)
  const any = database.prepare(`SELECT ${columns} FROM pets WHERE ${page}`)
  const byStatus = database.prepare(
    `SELECT ${columns} FROM pets INDEXED BY pets_by_status WHERE status = ? AND ${page}`,
  )
  const writer = createWriter(database, lockTimeoutMs)
  const pages = createPageCache()
  const hasChanged = createChangeDetector(database, () => writer.inserts)

  function read<T>(rows: () => T): T {
    if (writer.isImporting) throw importUnderWay()
    try {
      return rows()
    } catch (error) {
      throw failureAtWork(error)
    }
  }

  return {
    create: writer.create,
    importPets: writer.importPets,
    get(id) {
      return read(() => {
        // The rows of these statements have this shape; drivers return undefined or null for none.
        const row = one.get(String(id)) as PetRow | undefined | null
        return row ? petOfRow(row) : undefined
      })
    },
    list({ limit, status, after = 0n }) {
      return read(() => {
        if (hasChanged()) pages.clear()
        const from = String(after)
        return pages.page(`${status} ${from} ${limit}`, limit, () => {
          const rows = status ? byStatus.all(status, from, limit) : any.all(from, limit)
          return (rows as PetRow[]).map(petOfRow) // as above
        })
      })
    },
  }
}

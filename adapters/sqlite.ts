import { type NewPet, type Pet, type PetQuery, type PetStore, StoreUnavailable } from '../core/index.ts'
import { createPageCache, type PetRow, petOfRow } from '../core/internal.ts'
import type { SqliteDatabase } from './sqlite/database.ts'
import { failureAtWork } from './sqlite/failure.ts'
import { openSchema } from './sqlite/schema.ts'
import { createWriter } from './sqlite/writer.ts'

export type { SqliteDatabase, SqliteStatement, SqliteValue } from './sqlite/database.ts'

/** How `createSqliteStore` is set up. */
export interface SqliteStoreOptions {
  /**
   * An open database that nobody else uses: a `DatabaseSync` of node:sqlite, a `Database` of better-sqlite3 or
   * bun:sqlite. Whoever opened it closes it, when no request is being answered any more.
   */
  readonly database: SqliteDatabase
  /** How long the start and each creation wait for another program that writes to the file, in ms; 5000 by default. */
  readonly lockTimeoutMs?: number
}

/** A store that answers reads at once, and a creation when it is on disk. */
export interface SqliteStore extends PetStore {
  create(pet: NewPet): Promise<Pet>
  get(id: bigint): Pet | undefined
  list(query: PetQuery): readonly Pet[]
  /**
   * Keeps all of these animals or, where one cannot be kept or `pets` throws, none. Answers how many they were.
   * They are written as they come and not held in memory. Creations wait meanwhile, and reads throw
   * `StoreUnavailable`: to import beside a running server, open the file a second time.
   */
  importPets(pets: Iterable<NewPet> | AsyncIterable<NewPet>): Promise<number>
}

const columns = 'CAST(id AS TEXT) AS id, name, CAST(category_id AS TEXT) AS categoryId, status'
/** By the column and not by the text of the same name, which has no index and another order. */
const page = 'pets.id > CAST(? AS INTEGER) ORDER BY pets.id LIMIT ?'

/**
 * Keeps animals in a SQLite file, for one machine. A creation is answered once it is committed and on disk
 * (WAL, `synchronous=FULL`); those of one turn of the event loop share a commit, and fail together if it fails.
 *
 * Prepares an empty file. Throws an `Error` that names the file and what to do where it belongs to another program or a
 * newer version, is damaged, read-only or locked, and a `TypeError` for an unusable option. Its methods throw
 * `StoreUnavailable` for what may pass, such as a full disk or a lock that another program holds for long.
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
  const version = database.prepare('PRAGMA data_version')
  let seen: unknown

  /** Forgets the pages where another connection has changed the file. */
  function heed(): void {
    const row = version.get() as { data_version: unknown } | undefined // as all drivers answer
    if (row?.data_version !== seen) pages.clear()
    seen = row?.data_version
  }

  function read<T>(rows: () => T): T {
    if (writer.importing) throw new StoreUnavailable('an import is under way on this connection')
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
        // The rows of these statements have this shape; drivers answer undefined or null for none.
        const row = one.get(String(id)) as PetRow | undefined | null
        return row ? petOfRow(row) : undefined
      })
    },
    list({ limit, status, after = 0n }) {
      return read(() => {
        heed()
        const from = String(after)
        return pages.page(`${status} ${from} ${limit}`, limit, () => {
          const rows = status ? byStatus.all(status, from, limit) : any.all(from, limit)
          return (rows as PetRow[]).map(petOfRow) // as above
        })
      })
    },
  }
}

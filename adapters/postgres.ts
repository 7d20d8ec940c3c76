import type { NewPet, Pet, PetQuery, PetStore } from '../core/index.ts'
import { type PetRow, petOfRow, rowValues } from '../core/internal.ts'
import { type PostgresClient, type PostgresValue, rowsOf } from './postgres/client.ts'
import { failureOf } from './postgres/failure.ts'
import { importInto } from './postgres/import.ts'
import { tableNamed } from './postgres/table.ts'

export type { PostgresClient, PostgresResult, PostgresValue } from './postgres/client.ts'
export { migrate } from './postgres/migrate.ts'

/** How `createPostgresStore` is set up. */
export interface PostgresStoreOptions {
  /**
   * A `Pool` of pg, or an object with the same `query`. A pool reconnects when PostgreSQL is back; a single `Client` does
   * not. The pool determines how long a request waits for a PostgreSQL that is silent: set its `connectionTimeoutMillis`
   * and `query_timeout`, and listen to its `error` event, which ends the process otherwise.
   */
  readonly client: PostgresClient
  /** The table of the animals; `pets` by default. `schema.table` names one outside the search path. */
  readonly table?: string
}

/** A store that can also import many animals at once. */
export interface PostgresStore extends PetStore {
  create(pet: NewPet): Promise<Pet>
  get(id: bigint): Promise<Pet | undefined>
  list(query: PetQuery): Promise<readonly Pet[]>
  /**
   * Stores all of these animals, or none if one cannot be stored or `pets` throws. Returns how many they were.
   *
   * Animals are sent as they come, and not held in memory. Requires a client that is one connection, and has no other use.
   */
  importPets(pets: Iterable<NewPet> | AsyncIterable<NewPet>): Promise<number>
}

const int64Max = 2n ** 63n - 1n

/**
 * Creates a store that stores animals in PostgreSQL, for any number of replicas. Call `migrate` before the first request.
 *
 * A creation fulfills once it is committed, and every replica shows it from then on. Ids are assigned before they are
 * committed, so of two creations that overlap, the one with the greater id may be seen first. Pages by `after` list every
 * animal that existed when the first page was read exactly once, and may miss one that was being created.
 *
 * The methods reject with `StoreUnavailable` while PostgreSQL does not respond. A creation that was under way then may or
 * may not have been stored.
 *
 * @throws {TypeError} An option is invalid; the message names it.
 * @example
 * import { createPostgresStore } from 'pet-adoption-service/postgres'
 * import pg from 'pg'
 *
 * const client = new pg.Pool({ connectionString: 'postgres://127.0.0.1/shelter', query_timeout: 5000 })
 * client.on('error', console.error)
 * const store = createPostgresStore({ client })
 */
export function createPostgresStore({ client, table = 'pets' }: PostgresStoreOptions): PostgresStore {
  if (typeof client?.query !== 'function')
    throw new TypeError('options.client must have query(text, values), as a Pool of pg has')
  const named = tableNamed(table)
  const insert = `INSERT INTO ${named.name} (name, category_id, status) VALUES ($1, $2::bigint, $3) RETURNING id::text AS id`
  const select = `SELECT pet.id::text AS id, name, category_id::text AS "categoryId", status FROM ${named.name} AS pet`
  const one = `${select} WHERE pet.id = $1::bigint`
  const any = `${select} WHERE pet.id > $1::bigint ORDER BY pet.id LIMIT $2::int`
  // A range of pairs, which only the index on both columns serves. With two conditions the planner may read the table in the
  // order of its ids instead, past any number of animals of other statuses.
  const byStatus = `${select} WHERE (status, pet.id) > ($3, $1::bigint) AND (status, pet.id) <= ($3, ${int64Max})
    ORDER BY status, pet.id LIMIT $2::int`

  async function query<Row>(text: string, values: PostgresValue[]): Promise<readonly Row[]> {
    try {
      return rowsOf<Row>(await client.query(text, values))
    } catch (error) {
      throw failureOf(error)
    }
  }

  return {
    async create(pet) {
      const [row] = await query<{ id: string }>(insert, rowValues(pet))
      if (!row) throw new Error('PostgreSQL returned no id')
      return { ...pet, id: BigInt(row.id) }
    },
    async get(id) {
      const [row] = await query<PetRow>(one, [String(id)])
      return row && petOfRow(row)
    },
    async list({ limit, status, after = 0n }) {
      const from = [String(after), limit]
      return (await query<PetRow>(status ? byStatus : any, status ? [...from, status] : from)).map(petOfRow)
    },
    async importPets(pets) {
      try {
        return await importInto(named, client, pets)
      } catch (error) {
        throw failureOf(error)
      }
    },
  }
}

import type { NewPet, Pet, PetQuery, PetStore } from '../core/index.ts'
import { type PetRow, petOfRow, rowValues } from '../core/internal.ts'
import type { PostgresClient, PostgresValue } from './postgres/client.ts'
import { failureOf } from './postgres/failure.ts'
import { importInto } from './postgres/import.ts'
import { tableNamed } from './postgres/table.ts'

export type { PostgresClient, PostgresValue } from './postgres/client.ts'
export { migrate } from './postgres/migrate.ts'

/** How `createPostgresStore` is set up. */
export interface PostgresStoreOptions {
  /**
   * A `Pool` of pg, as it is, or anything with the same `query`. A pool heals when PostgreSQL comes back; a single
   * `Client` does not. How long a request waits for a PostgreSQL that is silent is the pool's to say: set its
   * `connectionTimeoutMillis` and `query_timeout`, and listen to its `error` event, which ends the process otherwise.
   */
  readonly client: PostgresClient
  /** The table of the animals, `pets` by default; `schema.table` for one outside the search path. */
  readonly table?: string
}

/** A store that can also take in many animals at once. */
export interface PostgresStore extends PetStore {
  create(pet: NewPet): Promise<Pet>
  get(id: bigint): Promise<Pet | undefined>
  list(query: PetQuery): Promise<readonly Pet[]>
  /**
   * Keeps all of these animals or, where one cannot be kept or `pets` throws, none. Answers how many they were.
   * They are sent as they come and not held in memory. Needs a client that is one connection, and nobody else's.
   */
  importPets(pets: Iterable<NewPet> | AsyncIterable<NewPet>): Promise<number>
}

const int64Max = 2n ** 63n - 1n

/**
 * Keeps animals in PostgreSQL, for any number of replicas at once. Call `migrate` before the first request.
 *
 * A creation is answered once it is committed, and every replica shows it from then on. Ids are assigned before they
 * are committed, so of creations that overlap the greater id may be seen first: pages by `after` give every animal that
 * was there when the first page was asked for exactly once, and may miss one that was being created.
 *
 * Throws a `TypeError` for an unusable option. Its methods reject with `StoreUnavailable` while PostgreSQL does not
 * answer; nobody knows then whether a creation that was under way has been kept.
 */
export function createPostgresStore({ client, table = 'pets' }: PostgresStoreOptions): PostgresStore {
  if (typeof client?.query !== 'function')
    throw new TypeError('options.client must have query(text, values), as a Pool of pg has')
  const named = tableNamed(table)
  const insert = `INSERT INTO ${named.name} (name, category_id, status) VALUES ($1, $2::bigint, $3) RETURNING id::text AS id`
  const select = `SELECT pet.id::text AS id, name, category_id::text AS "categoryId", status FROM ${named.name} AS pet`
  const one = `${select} WHERE pet.id = $1::bigint`
  const any = `${select} WHERE pet.id > $1::bigint ORDER BY pet.id LIMIT $2::int`
  // As a range of pairs, which only the index on both can answer: by two conditions the planner may choose to read the
  // table in the order of its ids, past any number of animals of other statuses.
  const byStatus = `${select} WHERE (status, pet.id) > ($3, $1::bigint) AND (status, pet.id) <= ($3, ${int64Max})
    ORDER BY status, pet.id LIMIT $2::int`

  /** The caller knows the shape of its statement's rows. */
  async function rowsOf<Row>(text: string, values: PostgresValue[]): Promise<readonly Row[]> {
    try {
      return (await client.query(text, values)).rows as readonly Row[]
    } catch (error) {
      throw failureOf(error)
    }
  }

  return {
    async create(pet) {
      const [row] = await rowsOf<{ id: string }>(insert, rowValues(pet))
      if (!row) throw new Error('PostgreSQL answered no id')
      return { ...pet, id: BigInt(row.id) }
    },
    async get(id) {
      const [row] = await rowsOf<PetRow>(one, [String(id)])
      return row && petOfRow(row)
    },
    async list({ limit, status, after = 0n }) {
      const from = [String(after), limit]
      return (await rowsOf<PetRow>(status ? byStatus : any, status ? [...from, status] : from)).map(petOfRow)
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

import {
  type CreateOnceResult,
  type CreationKey,
  type NewPet,
  type Pet,
  type PetStore,
  StoreUnavailable,
} from '../../core/index.ts'
import {
  type CreationRow,
  expiredAtOnce,
  type Promised,
  parseCreationRow,
  toRowValues,
} from '../sql/store.ts'
import type { Query } from './client.ts'
import { createGroups, type Results } from './groups.ts'
import type { Table } from './table.ts'

/** Maximum number of attempts to claim a token. Each may fail because of an earlier creation that then expires. */
const attempts = 5

/** The time of the statement by the clock of the database, in milliseconds since the epoch. */
const now = '(extract(epoch FROM now()) * 1000)::bigint'

/**
 * Creates the methods that create animals. Each statement is a transaction of its own, so they work through a pooler.
 * Creations without an idempotency key that are called in one turn of the event loop share a statement.
 *
 * One statement claims the token and inserts the animal. It takes the id from the sequence of the column, since both
 * tables need it, and waits while another statement claims the same token. Idempotency keys expire by the clock of the
 * database, so servers whose clocks differ agree on them.
 */
export function createCreations(
  { name, creations }: Table,
  query: Query,
): Promised<PetStore, 'create' | 'createOnce' | 'findCreated'> {
  const insertOne = `INSERT INTO ${name} (name, category_id, status) VALUES ($1, $2::text::bigint, $3) RETURNING id::text AS id`
  const insertMany = `${createInsert(name, false)} RETURNING id::text AS id`
  const insertOnce = `
    WITH claimed AS (
      INSERT INTO ${creations} AS held (token, fingerprint, pet_id, expires_at)
      VALUES ($4, $5, nextval(pg_get_serial_sequence('${name}', 'id')), ${now} + $6::text::bigint)
      ON CONFLICT (token) DO UPDATE
      SET fingerprint = excluded.fingerprint, pet_id = excluded.pet_id, expires_at = excluded.expires_at
      WHERE held.expires_at <= ${now}
      RETURNING pet_id
    ), expired AS (
      DELETE FROM ${creations} WHERE token IN (
        SELECT token FROM ${creations} WHERE expires_at <= ${now} AND token <> $4
        ORDER BY expires_at LIMIT ${expiredAtOnce} FOR UPDATE SKIP LOCKED
      )
    )
    INSERT INTO ${name} (id, name, category_id, status) OVERRIDING SYSTEM VALUE
    SELECT pet_id, $1, $2::text::bigint, $3 FROM claimed
    RETURNING id::text AS id`
  const find = `SELECT pet_id::text AS id, fingerprint FROM ${creations} WHERE token = $1 AND expires_at > ${now}`

  const createTogether = createGroups((_name, pets: readonly NewPet[]) => createMany(pets))

  async function createOne(pet: NewPet): Promise<Pet> {
    const [row] = await query<{ id: string }>(insertOne, toRowValues(pet))
    if (!row) throw new Error('PostgreSQL returned no id')
    return { ...pet, id: BigInt(row.id) }
  }

  /** Assigns ids in the order of the animals. If one is rejected, each is created by a statement of its own. */
  async function createMany(pets: readonly NewPet[]): Results<Pet> {
    if (pets.length === 1) return pets.map(createOne)
    try {
      const created = await query<{ id: string }>(insertMany, [`[${pets.map(toRowJson).join()}]`])
      const ids = created.map(({ id }) => BigInt(id)).sort((a, b) => (a < b ? -1 : 1))
      return pets.map((pet, i) => ({ ...pet, id: ids[i] as bigint })) // one for each row
    } catch (cause) {
      if (cause instanceof StoreUnavailable) throw cause
      return pets.map(createOne) // none was stored
    }
  }

  async function findCreated(key: CreationKey): Promise<CreateOnceResult | undefined> {
    const [row] = await query<CreationRow>(find, [key.token])
    return row && parseCreationRow(row, key)
  }

  return {
    create: (pet) => createTogether('', pet),
    async createOnce(pet, key) {
      const keepMs = Math.floor(key.expiresAt - key.now) // a clock may return fractions
      const values = [...toRowValues(pet), key.token, key.fingerprint, keepMs]
      for (let attempt = 0; attempt < attempts; attempt++) {
        const [row] = await query<{ id: string }>(insertOnce, values)
        if (row) return { outcome: 'created', id: BigInt(row.id) }
        const earlier = await findCreated(key)
        if (earlier) return earlier
      }
      throw new StoreUnavailable('the creations with one Idempotency-Key expire too fast')
    },
    findCreated,
  }
}

/**
 * Returns the statement that inserts the rows of the JSON array `$1` in its order, with their ids if `haveIds` is true.
 */
export function createInsert(table: string, haveIds: boolean, where = ''): string {
  const columns = `${haveIds ? 'id, ' : ''}name, category_id, status`
  return `INSERT INTO ${table} (${columns}) ${haveIds ? 'OVERRIDING SYSTEM VALUE' : ''}
    SELECT ${columns}
    FROM ROWS FROM (json_to_recordset($1::text::json) AS (id bigint, name text, category_id bigint, status text))
      WITH ORDINALITY AS pet (id, name, category_id, status, place)
    ${where} ORDER BY place`
}

/** Returns the row of an animal for the statement of `createInsert`, as JSON. */
export function toRowJson(pet: NewPet | Pet): string {
  const [name, category_id, status] = toRowValues(pet)
  const id = 'id' in pet ? pet.id?.toString() : undefined
  return JSON.stringify({ id, name, category_id, status })
}

import {
  type CreateOnceResult,
  type CreationKey,
  type NewPet,
  type Pet,
  type PetStore,
  StoreUnavailableError,
} from '../../core/index.ts'
import {
  type CreationRow,
  maxExpiredPerCreation,
  type Promised,
  parseCreationRow,
  toRowValues,
} from '../sql/store.ts'
import { type BatchResults, createBatcher } from './batcher.ts'
import type { Query } from './client.ts'
import type { TableNames } from './table.ts'

/** How often `createOnce` tries to store an idempotency key that keeps expiring. */
const maxAttempts = 5

/** SQL for the database's current time, in milliseconds since the epoch. */
const nowMs = '(extract(epoch FROM now()) * 1000)::bigint'

/**
 * Creates the methods that create animals. Each call is a single statement, which works through a pooler. `create`
 * calls in the same event loop turn share a statement.
 *
 * A statement with an idempotency key stores the key together with the animal, and waits while another statement stores
 * the same key. The animal's id comes from the column's sequence, because both rows contain it. The database's clock
 * decides when a key expires, so servers with different clocks agree.
 */
export function createCreationMethods(
  { name, creations }: TableNames,
  read: Query,
  write: Query,
): Promised<PetStore, 'create' | 'createOnce' | 'findCreated'> {
  const insertOne = `INSERT INTO ${name} (name, category_id, status) VALUES ($1, $2::text::bigint, $3) RETURNING id::text AS id`
  const insertMany = `${createInsertStatement(name, false)} RETURNING id::text AS id`
  const insertOnce = `
    WITH claimed AS (
      INSERT INTO ${creations} AS held (token, fingerprint, pet_id, expires_at)
      VALUES ($4, $5, nextval(pg_get_serial_sequence('${name}', 'id')), ${nowMs} + $6::text::bigint)
      ON CONFLICT (token) DO UPDATE
      SET fingerprint = excluded.fingerprint, pet_id = excluded.pet_id, expires_at = excluded.expires_at
      WHERE held.expires_at <= ${nowMs}
      RETURNING pet_id
    ), expired AS (
      DELETE FROM ${creations} WHERE token IN (
        SELECT token FROM ${creations} WHERE expires_at <= ${nowMs} AND token <> $4
        ORDER BY expires_at LIMIT ${maxExpiredPerCreation} FOR UPDATE SKIP LOCKED
      )
    )
    INSERT INTO ${name} (id, name, category_id, status) OVERRIDING SYSTEM VALUE
    SELECT pet_id, $1, $2::text::bigint, $3 FROM claimed
    RETURNING id::text AS id`
  const find = `SELECT pet_id::text AS id, fingerprint FROM ${creations} WHERE token = $1 AND expires_at > ${nowMs}`

  const createInBatch = createBatcher((_name, pets: readonly NewPet[]) => createMany(pets))

  async function createOne(pet: NewPet): Promise<Pet> {
    const [row] = await write<{ id: string }>(insertOne, toRowValues(pet))
    if (!row) throw new Error('PostgreSQL returned no id')
    return { ...pet, id: BigInt(row.id) }
  }

  /**
   * Creates several animals with one statement. Ids ascend in the given order. If the statement fails, each animal gets
   * its own statement.
   */
  async function createMany(pets: readonly NewPet[]): BatchResults<Pet> {
    if (pets.length === 1) return pets.map(createOne)
    try {
      const created = await write<{ id: string }>(insertMany, [`[${pets.map(toRowJson).join()}]`])
      const ids = created.map(({ id }) => BigInt(id)).sort((a, b) => (a < b ? -1 : 1))
      return pets.map((pet, i) => ({ ...pet, id: ids[i] as bigint })) // PostgreSQL returns an id for each row
    } catch (cause) {
      if (cause instanceof StoreUnavailableError) throw cause
      return pets.map(createOne) // so that only the invalid animals are rejected
    }
  }

  async function findCreated(key: CreationKey): Promise<CreateOnceResult | undefined> {
    const [row] = await read<CreationRow>(find, [key.token])
    return row && parseCreationRow(row, key)
  }

  return {
    create: (pet) => createInBatch('', pet),
    async createOnce(pet, key) {
      const ttlMs = Math.floor(key.expiresAt - key.now) // a clock may return fractions
      const values = [...toRowValues(pet), key.token, key.fingerprint, ttlMs]
      for (let attempt = 0; attempt < maxAttempts; attempt++) {
        const [row] = await write<{ id: string }>(insertOnce, values)
        if (row) return { outcome: 'created', id: BigInt(row.id) }
        const earlier = await findCreated(key)
        if (earlier) return earlier
      }
      throw new StoreUnavailableError('the Idempotency-Key expired during each attempt to store it')
    },
    findCreated,
  }
}

/**
 * Returns a statement that inserts the animals from a JSON array, in order.
 *
 * @param haveIds - Whether the animals have ids.
 */
export function createInsertStatement(table: string, haveIds: boolean): string {
  const columns = `${haveIds ? 'id, ' : ''}name, category_id, status`
  return `INSERT INTO ${table} (${columns}) ${haveIds ? 'OVERRIDING SYSTEM VALUE' : ''}
    SELECT ${columns}
    FROM ROWS FROM (json_to_recordset($1::text::json) AS (id bigint, name text, category_id bigint, status text))
      WITH ORDINALITY AS pet (id, name, category_id, status, place)
    ORDER BY place`
}

/** Returns an animal as JSON for {@link createInsertStatement}. */
export function toRowJson(pet: NewPet | Pet): string {
  const [name, category_id, status] = toRowValues(pet)
  const id = 'id' in pet ? pet.id?.toString() : undefined
  return JSON.stringify({ id, name, category_id, status })
}

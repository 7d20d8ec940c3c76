import { type CreateOnceResult, type CreationKey, type NewPet, StoreUnavailable } from '../../core/index.ts'
import { type CreationRow, creationValues, expiredAtOnce, resultOfRow } from '../sql/creation-row.ts'
import { rowValues } from '../sql/pet-row.ts'
import type { PostgresValue } from './client.ts'
import type { Table } from './table.ts'

/** Runs a statement and returns its rows, whose shape the caller knows. */
export type Query = <Row>(text: string, values: PostgresValue[]) => Promise<readonly Row[]>

/** The methods of a store for creations that can be sent again. */
export interface Creations {
  createOnce(pet: NewPet, key: CreationKey): Promise<CreateOnceResult>
  findCreated(key: CreationKey): Promise<CreateOnceResult | undefined>
}

/** How often a creation tries to claim its token, before it gives up on others that claim and lose it. */
const attempts = 5

/**
 * Creates the methods. Each statement is a transaction of its own, so they work through a pooler too.
 *
 * The token is claimed and the animal inserted by one statement, which needs the id of the animal in both tables: it takes
 * it from the sequence of the column. While another statement that claims the same token is under way, it waits.
 */
export function createCreations({ name, creations }: Table, query: Query): Creations {
  const create = `
    WITH claimed AS (
      INSERT INTO ${creations} AS held (token, fingerprint, pet_id, expires_at)
      VALUES ($4, $5, nextval(pg_get_serial_sequence('${name}', 'id')), $6::bigint)
      ON CONFLICT (token) DO UPDATE
      SET fingerprint = excluded.fingerprint, pet_id = excluded.pet_id, expires_at = excluded.expires_at
      WHERE held.expires_at <= $7::bigint
      RETURNING pet_id
    ), expired AS (
      DELETE FROM ${creations} WHERE token IN (
        SELECT token FROM ${creations} WHERE expires_at <= $7::bigint AND token <> $4
        ORDER BY expires_at LIMIT ${expiredAtOnce} FOR UPDATE SKIP LOCKED
      )
    )
    INSERT INTO ${name} (id, name, category_id, status) OVERRIDING SYSTEM VALUE
    SELECT pet_id, $1, $2::bigint, $3 FROM claimed
    RETURNING id::text AS id`
  const find = `
    SELECT pet_id::text AS id, fingerprint FROM ${creations} WHERE token = $1 AND expires_at > $2::bigint`

  async function findCreated(key: CreationKey): Promise<CreateOnceResult | undefined> {
    const { token, now } = creationValues(key)
    const [row] = await query<CreationRow>(find, [token, now])
    return row && resultOfRow(row, key)
  }

  return {
    async createOnce(pet, key) {
      const { token, fingerprint, expiresAt, now } = creationValues(key)
      const values = [...rowValues(pet), token, fingerprint, expiresAt, now]
      for (let attempt = 0; attempt < attempts; attempt++) {
        const [row] = await query<{ id: string }>(create, values)
        if (row) return { outcome: 'created', id: BigInt(row.id) }
        const earlier = await findCreated(key)
        if (earlier) return earlier
      }
      throw new StoreUnavailable('the creations with one Idempotency-Key disagree about the time')
    },
    findCreated,
  }
}

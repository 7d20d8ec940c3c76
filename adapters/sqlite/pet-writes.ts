import type { CreateOnceResult, CreationKey, NewPet, Pet, PetStore } from '../../core/index.ts'
import {
  type CreationRow,
  expiredAtOnce,
  type Immediate,
  type PetRow,
  parseCreationRow,
  parsePetRow,
  toRowValues,
} from '../sql/store.ts'
import { getChanges } from './changes.ts'
import type { SqliteDatabase } from './database.ts'
import { applicationId } from './schema.ts'

/** The columns of an animal. int64 are text. */
export const columns = 'CAST(id AS TEXT) AS id, name, CAST(category_id AS TEXT) AS categoryId, status'

/** The statements that change animals. They run within a transaction. */
export interface PetWrites extends Immediate<PetStore, 'createOnce' | 'findCreated' | 'update' | 'remove'> {
  /** Stores an animal, under an id if one is given. */
  create(pet: NewPet, id?: bigint): Pet
  /** Creates an animal, rolls it back, and writes a page, so that the commit needs the disk. Changes nothing. */
  check(): void
}

/** Prepares the statements that change animals. */
export function createPetWrites(database: SqliteDatabase): PetWrites {
  const insert = database.prepare(
    `INSERT INTO pets (name, category_id, status, id) VALUES (?, CAST(? AS INTEGER), ?, CAST(? AS INTEGER))
     RETURNING CAST(id AS TEXT) AS id`,
  )
  const change = database.prepare(
    `UPDATE pets SET name = coalesce(?, name), category_id = coalesce(CAST(? AS INTEGER), category_id),
       status = iif(?, ?, status) WHERE id = CAST(? AS INTEGER) RETURNING ${columns}`,
  )
  const remove = database.prepare(
    'DELETE FROM pets WHERE id = CAST(? AS INTEGER) RETURNING CAST(id AS TEXT) AS id',
  )
  const findKey = database.prepare(
    `SELECT CAST(pet_id AS TEXT) AS id, fingerprint FROM creation_keys
     WHERE token = ? AND expires_at > CAST(? AS INTEGER)`,
  )
  const insertKey = database.prepare(
    `INSERT INTO creation_keys (token, fingerprint, pet_id, expires_at)
     VALUES (?, ?, CAST(? AS INTEGER), CAST(? AS INTEGER))
     ON CONFLICT (token) DO UPDATE
     SET fingerprint = excluded.fingerprint, pet_id = excluded.pet_id, expires_at = excluded.expires_at`,
  )
  const removeExpired = database.prepare(
    `DELETE FROM creation_keys WHERE token IN (
       SELECT token FROM creation_keys WHERE expires_at <= CAST(? AS INTEGER) ORDER BY expires_at LIMIT ${expiredAtOnce}
     ) RETURNING token`,
  )
  const changes = getChanges(database)

  function create(pet: NewPet, given?: bigint): Pet {
    // The statement returns one row of this shape.
    const { id } = insert.get(...toRowValues(pet), given?.toString() ?? null) as { id: string }
    if (given === undefined) changes.harmless++
    return { ...pet, id: BigInt(id) }
  }

  function findCreated(key: CreationKey): CreateOnceResult | undefined {
    // The rows have this shape; drivers return undefined or null for none.
    const row = findKey.get(key.token, key.now) as CreationRow | undefined | null
    return row ? parseCreationRow(row, key) : undefined
  }

  return {
    create,
    createOnce(pet, key) {
      const earlier = findCreated(key)
      if (earlier) return earlier
      const { token, fingerprint, now, expiresAt } = key
      changes.harmless += removeExpired.all(now).length
      const { id } = create(pet)
      insertKey.run(token, fingerprint, String(id), expiresAt)
      changes.harmless++
      return { outcome: 'created', id }
    },
    findCreated,
    update(id, { name, categoryId, status }) {
      const category = categoryId === undefined ? null : String(categoryId)
      const isSet = status === undefined ? 0 : 1
      const values = [name ?? null, category, isSet, status ?? null, String(id)]
      const row = change.get(...values) as PetRow | undefined | null // as above
      return row ? parsePetRow(row) : undefined
    },
    remove: (id) => Boolean(remove.get(String(id))),
    check() {
      database.exec('SAVEPOINT write_check')
      create({ name: '', categoryId: 0n })
      database.exec('ROLLBACK TO write_check; RELEASE write_check')
      database.exec(`PRAGMA application_id = ${applicationId}`)
    },
  }
}

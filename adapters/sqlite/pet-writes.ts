import type { CreateOnceResult, CreationKey, NewPet, Pet, PetStore } from '../../core/index.ts'
import {
  type CreationRow,
  type Immediate,
  maxExpiredPerCreation,
  type PetRow,
  parseCreationRow,
  parsePetRow,
  toRowValues,
} from '../sql/store.ts'
import { getChangeDetector } from './changes.ts'
import type { SqliteDatabase } from './database.ts'
import { applicationId } from './schema.ts'

/** An animal's columns. Integers are cast to text, which every driver returns exactly. */
export const petColumns = 'CAST(id AS TEXT) AS id, name, CAST(category_id AS TEXT) AS categoryId, status'

/** The methods that change animals. Call them within a transaction. */
export interface PetWrites extends Immediate<PetStore, 'createOnce' | 'findCreated' | 'update' | 'remove'> {
  /** Creates an animal, with a new id unless one is given. */
  create(pet: NewPet, id?: bigint): Pet
  /** Creates an animal and rolls it back, then writes a page so that the commit needs the disk. Changes nothing. */
  check(): void
}

/** Creates the methods that change animals. */
export function createPetWrites(database: SqliteDatabase): PetWrites {
  const insert = database.prepare(
    `INSERT INTO pets (name, category_id, status, id) VALUES (?, CAST(? AS INTEGER), ?, CAST(? AS INTEGER))
     RETURNING CAST(id AS TEXT) AS id`,
  )
  const change = database.prepare(
    `UPDATE pets SET name = coalesce(?, name), category_id = coalesce(CAST(? AS INTEGER), category_id),
       status = iif(?, ?, status) WHERE id = CAST(? AS INTEGER) RETURNING ${petColumns}`,
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
       SELECT token FROM creation_keys WHERE expires_at <= CAST(? AS INTEGER) ORDER BY expires_at LIMIT ${maxExpiredPerCreation}
     )`,
  )
  const changes = getChangeDetector(database)

  function create(pet: NewPet, givenId?: bigint): Pet {
    // An INSERT returns the new row.
    const { id } = insert.get(...toRowValues(pet), givenId?.toString() ?? null) as { id: string }
    if (givenId === undefined) changes.creationCount++
    else changes.invalidate()
    return { ...pet, id: BigInt(id) }
  }

  function findCreated(key: CreationKey): CreateOnceResult | undefined {
    // The statement selects the columns in a `CreationRow`. Drivers return `undefined` or `null` for unknown keys.
    const row = findKey.get(key.token, key.now) as CreationRow | undefined | null
    return row ? parseCreationRow(row, key) : undefined
  }

  return {
    create,
    createOnce(pet, key) {
      const earlier = findCreated(key)
      if (earlier) return earlier
      const { token, fingerprint, now, expiresAt } = key
      removeExpired.run(now)
      const { id } = create(pet)
      insertKey.run(token, fingerprint, String(id), expiresAt)
      return { outcome: 'created', id }
    },
    findCreated,
    update(id, { name, categoryId, status }) {
      const category = categoryId === undefined ? null : String(categoryId)
      const isSet = status === undefined ? 0 : 1
      const values = [name ?? null, category, isSet, status ?? null, String(id)]
      changes.invalidate()
      const row = change.get(...values) as PetRow | undefined | null // drivers return `undefined` or `null` for unknown ids
      return row ? parsePetRow(row) : undefined
    },
    remove(id) {
      changes.invalidate()
      return Boolean(remove.get(String(id)))
    },
    check() {
      database.exec('SAVEPOINT write_check')
      create({ name: '', categoryId: 0n })
      database.exec('ROLLBACK TO write_check; RELEASE write_check')
      database.exec(`PRAGMA application_id = ${applicationId}`)
    },
  }
}

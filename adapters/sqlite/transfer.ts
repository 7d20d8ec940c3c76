import type { NewPet, Pet } from '../../core/index.ts'
import { requireImportableId } from '../../core/internal.ts'
import { ExistingIdError } from '../backend/index.ts'
import { type PetRow, parsePetRow } from '../sql/store.ts'
import { recordCommit } from './changes.ts'
import type { SqliteDatabase } from './database.ts'
import { translateErrors } from './failure.ts'
import { type PetWrites, petColumns } from './pet-writes.ts'
import { getWriter, rollBack } from './writer.ts'

/**
 * Imports animals in one transaction and returns their number. Animals with ids keep them. Writes wait, and other reads
 * on this connection reject, until the import ends.
 *
 * @throws {ExistingId} If an id is already in use.
 */
export async function importPets(
  database: SqliteDatabase,
  writes: PetWrites,
  pets: Iterable<NewPet | Pet> | AsyncIterable<NewPet | Pet>,
  waitMs: number,
): Promise<number> {
  const release = await getWriter(database).hold('import', waitMs)
  let id: bigint | undefined
  try {
    let count = 0
    for await (const pet of pets) {
      id = 'id' in pet ? pet.id : undefined
      if (id !== undefined) requireImportableId(id)
      writes.create(pet, id)
      count++
    }
    database.exec('COMMIT')
    recordCommit()
    return count
  } catch (error) {
    const reason = rollBack(database, error)
    throw id !== undefined && /UNIQUE constraint failed: pets\.id/.test(String(error))
      ? new ExistingIdError(id)
      : reason
  } finally {
    release()
  }
}

const pageSize = 1000

/**
 * Returns all animals by ascending id, as they are when the export begins. Writes on this connection wait until the
 * export ends.
 */
export async function* exportPets(database: SqliteDatabase, waitMs: number): AsyncGenerator<Pet> {
  const page = database.prepare(
    `SELECT ${petColumns} FROM pets WHERE pets.id > CAST(? AS INTEGER) ORDER BY pets.id LIMIT ${pageSize}`,
  )
  const release = await getWriter(database).hold('export', waitMs)
  try {
    let rows: PetRow[]
    let after = String(-(2n ** 63n))
    do {
      rows = translateErrors(() => page.all(after)) as PetRow[] // the statement selects these columns
      yield* rows.map(parsePetRow)
      after = rows.at(-1)?.id ?? after
    } while (rows.length === pageSize)
  } finally {
    rollBack(database, undefined) // an export changes nothing
    release()
  }
}

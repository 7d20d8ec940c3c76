import type { NewPet, Pet } from '../../core/index.ts'
import { requireImportableId } from '../../core/internal.ts'
import { ExistingId, type PetRow, parsePetRow } from '../sql/store.ts'
import { noteCommit } from './changes.ts'
import type { SqliteDatabase } from './database.ts'
import { atWork } from './failure.ts'
import { columns, type PetWrites } from './pet-writes.ts'
import { findWriter, rollBack } from './writer.ts'

/** Adds all animals in one transaction, with the ids that they have. Returns their number. */
export async function importInto(
  database: SqliteDatabase,
  writes: PetWrites,
  pets: Iterable<NewPet | Pet> | AsyncIterable<NewPet | Pet>,
  waitMs: number,
): Promise<number> {
  const release = await findWriter(database).hold('import', waitMs)
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
    noteCommit()
    return count
  } catch (error) {
    const reason = rollBack(database, error)
    throw id !== undefined && /UNIQUE constraint failed: pets\.id/.test(String(error))
      ? new ExistingId(id)
      : reason
  } finally {
    release()
  }
}

/** Maximum number of animals in memory. */
const pageLength = 1000

/** Yields all animals by ascending id, as they are at the beginning. One transaction reads them. */
export async function* exportFrom(database: SqliteDatabase, waitMs: number): AsyncGenerator<Pet> {
  const page = database.prepare(
    `SELECT ${columns} FROM pets WHERE pets.id > CAST(? AS INTEGER) ORDER BY pets.id LIMIT ${pageLength}`,
  )
  const release = await findWriter(database).hold('export', waitMs)
  try {
    let rows: PetRow[]
    let after = String(-(2n ** 63n))
    do {
      rows = atWork(() => page.all(after)) as PetRow[] // the rows of this statement have this shape
      yield* rows.map(parsePetRow)
      after = rows.at(-1)?.id ?? after
    } while (rows.length === pageLength)
  } finally {
    rollBack(database, undefined) // nothing was written
    release()
  }
}

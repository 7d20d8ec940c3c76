import type { Pet } from '../../core/index.ts'
import { type PetRow, petOfRow } from '../sql/pet-row.ts'
import type { SqliteDatabase } from './database.ts'
import { failureAtWork } from './failure.ts'
import { columns } from './pet-writes.ts'
import { rollBack } from './transaction.ts'
import type { Writer } from './writer.ts'

/** How many animals are in memory at once. */
const pageLength = 1000

/** Yields all animals by ascending id, as they are at the beginning: one transaction reads them. */
export async function* exportFrom(database: SqliteDatabase, writer: Writer): AsyncGenerator<Pet> {
  const page = database.prepare(
    `SELECT ${columns} FROM pets WHERE pets.id > CAST(? AS INTEGER) ORDER BY pets.id LIMIT ${pageLength}`,
  )
  const release = await writer.hold('export')
  try {
    let rows: PetRow[]
    let after = String(-(2n ** 63n))
    do {
      rows = page.all(after) as PetRow[] // the rows of this statement have this shape
      yield* rows.map(petOfRow)
      after = rows.at(-1)?.id ?? after
    } while (rows.length === pageLength)
  } catch (error) {
    throw failureAtWork(error)
  } finally {
    rollBack(database, undefined) // nothing was written
    release()
  }
}

import type { NewPet, Pet } from '../../core/index.ts'
import { requireImportableId } from '../../core/internal.ts'
import { ExistingIdError } from '../backend/index.ts'
import type { PetRow } from '../sql/store.ts'
import { createInsertStatement, toRowJson } from './creations.ts'
import { parsePetColumns, petColumns } from './reads.ts'
import type { TableNames } from './table.ts'
import { beginTransaction, type Connect, runInTransaction } from './transaction.ts'

const batchSize = 500

/**
 * Imports animals in one transaction and returns their number. Animals with ids keep them. The first animal with an id
 * locks the table for other changes, so that no creation takes the next ids and the sequence stays above all assigned
 * ids.
 *
 * @throws {TypeError} If the client cannot lend a connection, or an id is out of range.
 * @throws {ExistingId} If an id is already in use.
 */
export async function importPets(
  { name }: TableNames,
  connect: Connect,
  pets: Iterable<NewPet | Pet> | AsyncIterable<NewPet | Pet>,
): Promise<number> {
  const sequence = `pg_get_serial_sequence('${name}', 'id')`
  // New ids must follow the imported ids.
  const advanceSequence = `SELECT setval(${sequence}, greatest($1::text::bigint, pg_sequence_last_value(${sequence}::regclass)))`

  return runInTransaction(connect, 'importPets', async (query) => {
    /** The next rows to insert, as JSON. Either all have ids, or none has one. */
    let rows: string[] = []
    let haveIds = false
    let isLocked = false
    let maxId = 0n
    let total = 0

    async function send(): Promise<void> {
      if (haveIds && !isLocked) await query(`LOCK TABLE ${name} IN SHARE ROW EXCLUSIVE MODE`)
      isLocked ||= haveIds
      if (isLocked && !haveIds) await query(advanceSequence, [String(maxId)])
      await query(createInsertStatement(name, haveIds), [`[${rows.join()}]`])
      total += rows.length
      rows = []
    }

    try {
      for await (const pet of pets) {
        const id = 'id' in pet ? pet.id : undefined
        if (id !== undefined) requireImportableId(id)
        if (rows.length === batchSize || haveIds !== (id !== undefined)) await send()
        haveIds = id !== undefined
        if (id !== undefined && id > maxId) maxId = id
        rows.push(toRowJson(pet))
      }
      await send()
    } catch (error) {
      throw toImportError(error)
    }
    if (isLocked) await query(advanceSequence, [String(maxId)])
    await query(`ANALYZE ${name}`)
    return total
  })
}

/** Returns an {@link ExistingId} if an imported id is already in use, or the error itself otherwise. */
function toImportError(error: unknown): unknown {
  // The detail contains `(id)=(7)` in every language that PostgreSQL has.
  const { code, detail } = error as { code?: unknown; detail?: unknown }
  const [, id] = (code === '23505' && /\(id\)=\((\d+)\)/.exec(String(detail))) || []
  return id === undefined ? error : new ExistingIdError(BigInt(id))
}

const fetchSize = 1000

/**
 * Returns all animals by ascending id, as they are when the export begins.
 *
 * @throws {TypeError} If the client cannot lend a connection.
 */
export async function* exportPets({ name }: TableNames, connect: Connect): AsyncGenerator<Pet> {
  const mode = 'ISOLATION LEVEL REPEATABLE READ READ ONLY'
  const { query, end } = await beginTransaction(connect, 'exportPets', mode)
  try {
    await query(`
      DECLARE exported NO SCROLL CURSOR FOR
      SELECT ${petColumns} FROM ${name} AS pet ORDER BY pet.id`)
    let rows: readonly PetRow[]
    do {
      rows = await query<PetRow>(`FETCH ${fetchSize} FROM exported`)
      yield* rows.map(parsePetColumns)
    } while (rows.length === fetchSize)
  } finally {
    await end()
  }
}

import type { NewPet, Pet } from '../../core/index.ts'
import { requireImportableId } from '../../core/internal.ts'
import { ExistingId, type PetRow } from '../sql/store.ts'
import type { PostgresClient } from './client.ts'
import { createInsert, toRowJson } from './creations.ts'
import { parsePetColumns, petColumns } from './reads.ts'
import type { Table } from './table.ts'
import { isInTransaction, queryInTransaction, transaction } from './transaction.ts'

/** Maximum number of animals of a statement. */
const chunkLength = 500

/**
 * Adds all animals in one transaction, with the ids that they have. Returns their number.
 *
 * The first animal with an id locks the table for other changes: a creation elsewhere must not get one of the next ids,
 * and the sequence must not be set below an id that it has assigned.
 *
 * @throws {TypeError} The client is not one connection, or an id is out of range.
 * @throws {Error} An id exists; the message names it.
 */
export async function importInto(
  { name }: Table,
  client: PostgresClient,
  pets: Iterable<NewPet | Pet> | AsyncIterable<NewPet | Pet>,
): Promise<number> {
  const sequence = `pg_get_serial_sequence('${name}', 'id')`
  // The next ids follow the ids of the import.
  const advanceSequence = `SELECT setval(${sequence}, greatest($1::text::bigint, pg_sequence_last_value(${sequence}::regclass)))`

  return transaction(client, 'importPets', async (query) => {
    /** The animals of the next statement: all have an id, or none has one. */
    let rows: string[] = []
    let haveIds = false
    let isLocked = false
    let highest = 0n
    let total = 0

    async function send(): Promise<void> {
      if (haveIds && !isLocked) await query(`LOCK TABLE ${name} IN SHARE ROW EXCLUSIVE MODE`)
      isLocked ||= haveIds
      if (isLocked && !haveIds) await query(advanceSequence, [String(highest)])
      await query(createInsert(name, haveIds, `WHERE ${isInTransaction}`), [`[${rows.join()}]`])
      total += rows.length
      rows = []
    }

    try {
      for await (const pet of pets) {
        const id = 'id' in pet ? pet.id : undefined
        if (id !== undefined) requireImportableId(id)
        if (rows.length === chunkLength || haveIds !== (id !== undefined)) await send()
        haveIds = id !== undefined
        if (id !== undefined && id > highest) highest = id
        rows.push(toRowJson(pet))
      }
      await send()
    } catch (error) {
      throw toImportError(error)
    }
    if (isLocked) await query(advanceSequence, [String(highest)])
    await query(`ANALYZE ${name}`)
    return total
  })
}

/** Returns the error to throw: an `ExistingId` if an id exists already, otherwise the error itself. */
function toImportError(error: unknown): unknown {
  // In every language of the server, the detail contains `(id)=(7)`.
  const { code, detail } = error as { code?: unknown; detail?: unknown }
  const [, id] = (code === '23505' && /\(id\)=\((\d+)\)/.exec(String(detail))) || []
  return id === undefined ? error : new ExistingId(BigInt(id))
}

/** Maximum number of animals in memory. */
const pageLength = 1000

/**
 * Yields all animals by ascending id, as they are at the beginning: one transaction reads them.
 *
 * @throws {TypeError} The client is not one connection.
 */
export async function* exportFrom({ name }: Table, client: PostgresClient): AsyncGenerator<Pet> {
  const query = queryInTransaction(client, 'exportPets')
  try {
    await query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    await query(`
      DECLARE exported NO SCROLL CURSOR FOR
      SELECT ${petColumns} FROM ${name} AS pet ORDER BY pet.id`)
    let rows: readonly PetRow[]
    do {
      rows = await query<PetRow>(`FETCH ${pageLength} FROM exported`)
      yield* rows.map(parsePetColumns)
    } while (rows.length === pageLength)
  } finally {
    await client.query('ROLLBACK').catch(() => {}) // a lost connection has rolled back by itself
  }
}

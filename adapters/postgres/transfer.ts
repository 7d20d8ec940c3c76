import type { NewPet, Pet } from '../../core/index.ts'
import { requireImportableId } from '../../core/internal.ts'
import { ExistingId, type PetRow } from '../sql/store.ts'
import type { PostgresClient } from './client.ts'
import { insertRows, rowJson } from './creations.ts'
import { petColumns, petOfColumns } from './reads.ts'
import type { Table } from './table.ts'
import { isInTransaction, queryInTransaction, transaction } from './transaction.ts'

/** A statement has at most so many animals. */
const chunkLength = 500

/**
 * Adds all of the animals in one transaction, with their ids where they have one. Returns how many they were.
 *
 * From the first id on, the table is locked for other changes: a creation elsewhere must not be assigned one of the ids
 * that follow, and the sequence must not be set below an id that it has assigned.
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
  // Lets the ids that are assigned from now on follow those of the import.
  const goOn = `SELECT setval(${sequence}, greatest($1::text::bigint, pg_sequence_last_value(${sequence}::regclass)))`

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
      if (isLocked && !haveIds) await query(goOn, [String(highest)])
      await query(insertRows(name, haveIds, `WHERE ${isInTransaction}`), [`[${rows.join()}]`])
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
        rows.push(rowJson(pet))
      }
      await send()
    } catch (error) {
      throw withId(error)
    }
    if (isLocked) await query(goOn, [String(highest)])
    await query(`ANALYZE ${name}`)
    return total
  })
}

/** What to throw for an error: an error that names the id, if that exists. */
function withId(error: unknown): unknown {
  // Whatever the language of the server, its detail contains `(id)=(7)`.
  const { code, detail } = error as { code?: unknown; detail?: unknown }
  const [, id] = (code === '23505' && /\(id\)=\((\d+)\)/.exec(String(detail))) || []
  return id === undefined ? error : new ExistingId(BigInt(id))
}

/** How many animals are in memory at once. */
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
      yield* rows.map(petOfColumns)
    } while (rows.length === pageLength)
  } finally {
    await client.query('ROLLBACK').catch(() => {}) // a lost connection has rolled back by itself
  }
}

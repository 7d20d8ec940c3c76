import type { NewPet, Pet } from '../../core/index.ts'
import { requireImportableId } from '../../core/internal.ts'
import type { PetRow } from '../sql/rows.ts'
import { ExistingId } from '../sql/store.ts'
import { type PostgresClient, rowsOf } from './client.ts'
import { insertRows, rowJson } from './creations.ts'
import { failureOf } from './failure.ts'
import { petColumns, petOfColumns } from './reads.ts'
import type { Table } from './table.ts'
import { isInTransaction, notOneConnection, transaction } from './transaction.ts'

/** A statement has at most so many animals, and about so many characters. */
const limits = { animals: 1000, characters: 1_000_000 }

/** Animals that one statement adds: all have an id, or none has one. */
interface Chunk {
  readonly haveIds: boolean
  readonly rows: string[]
  characters: number
}

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
  table: Table,
  client: PostgresClient,
  pets: Iterable<NewPet | Pet> | AsyncIterable<NewPet | Pet>,
): Promise<number> {
  const { name } = table
  const sequence = `pg_get_serial_sequence('${name}', 'id')`
  let chunk: Chunk = { haveIds: false, rows: [], characters: 0 }
  let isLocked = false
  let highest = 0n
  let total = 0

  async function send(): Promise<void> {
    const { haveIds, rows } = chunk
    if (haveIds && !isLocked) {
      await client.query(`LOCK TABLE ${name} IN SHARE ROW EXCLUSIVE MODE`)
      isLocked = true
    }
    if (!haveIds) await continueBehindHighest()
    const [added] = rowsOf<{ count: string }>(
      await client.query(insertInto(table, haveIds), [`[${rows.join()}]`]),
    )
    if (Number(added?.count) !== rows.length) throw notOneConnection('importPets')
    total += rows.length
  }

  /** Lets the ids that are assigned from now on follow those of the import. */
  async function continueBehindHighest(): Promise<void> {
    if (highest === 0n) return
    const next = `greatest($1::text::bigint, pg_sequence_last_value(${sequence}::regclass))`
    await client.query(`SELECT setval(${sequence}, ${next})`, [String(highest)])
    highest = 0n
  }

  return transaction(client, 'importPets', async () => {
    try {
      for await (const pet of pets) {
        const id = idOf(pet)
        const haveIds = id !== undefined
        if (
          haveIds !== chunk.haveIds ||
          chunk.rows.length >= limits.animals ||
          chunk.characters >= limits.characters
        ) {
          await send()
          chunk = { haveIds, rows: [], characters: 0 }
        }
        const row = rowJson(pet)
        chunk.rows.push(row)
        chunk.characters += row.length
        if (haveIds && id > highest) highest = id
      }
      await send()
    } catch (error) {
      throw existingId(error)
    }
    await continueBehindHighest()
    await client.query(`ANALYZE ${name}`)
    return total
  })
}

function idOf(pet: NewPet | Pet): bigint | undefined {
  const id = 'id' in pet ? pet.id : undefined
  if (id !== undefined) requireImportableId(id)
  return id
}

/** Returns the statement that adds the animals of a JSON array in its order, and returns their number. */
function insertInto({ name }: Table, haveIds: boolean): string {
  return `WITH added AS (
      ${insertRows(name, haveIds, `WHERE ${isInTransaction}`)} RETURNING 1
    )
    SELECT count(*)::text AS count FROM added`
}

/** What to throw for an error: an error that names the id, if that exists. */
function existingId(error: unknown): unknown {
  // Whatever the language of the server, its detail contains `(id)=(7)`.
  const { code, detail } = error as { code?: unknown; detail?: unknown }
  const [, id] = (code === '23505' && /\(id\)=\((\d+)\)/.exec(String(detail))) || []
  return id === undefined ? error : new ExistingId(BigInt(id), error)
}

/** How many animals are in memory at once. */
const pageLength = 1000

/**
 * Yields all animals by ascending id, as they are at the beginning: one transaction reads them.
 *
 * @throws {TypeError} The client is not one connection.
 */
export async function* exportFrom({ name }: Table, client: PostgresClient): AsyncGenerator<Pet> {
  const query = async (text: string): Promise<readonly PetRow[]> => {
    try {
      return rowsOf<PetRow>(await client.query(text))
    } catch (error) {
      throw failureOf(isAnotherConnection(error) ? notOneConnection('exportPets', error) : error)
    }
  }
  await query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
  try {
    await query(`
      DECLARE exported NO SCROLL CURSOR FOR
      SELECT ${petColumns} FROM ${name} AS pet ORDER BY pet.id`)
    let rows: readonly PetRow[]
    do {
      rows = await query(`FETCH ${pageLength} FROM exported`)
      yield* rows.map(petOfColumns)
    } while (rows.length === pageLength)
  } finally {
    await client.query('ROLLBACK').catch(() => {}) // a lost connection has rolled back by itself
  }
}

/** The codes of: a transaction is open already; there is none; there is no such cursor. */
const codesOfAnotherConnection: readonly unknown[] = ['25001', '25P01', '34000']

/** Whether the statements before ran on another connection. */
function isAnotherConnection(error: unknown): boolean {
  return error instanceof Error && 'code' in error && codesOfAnotherConnection.includes(error.code)
}

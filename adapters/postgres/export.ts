import type { Pet } from '../../core/index.ts'
import { type PetRow, petOfRow } from '../sql/rows.ts'
import { type PostgresClient, rowsOf } from './client.ts'
import { failureOf } from './failure.ts'
import type { Table } from './table.ts'

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
      throw failureOf(isAnotherConnection(error) ? notOneConnection(error) : error)
    }
  }
  await query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
  try {
    await query(`
      DECLARE exported NO SCROLL CURSOR FOR
      SELECT pet.id::text AS id, name, category_id::text AS "categoryId", status FROM ${name} AS pet ORDER BY pet.id`)
    let rows: readonly PetRow[]
    do {
      rows = await query(`FETCH ${pageLength} FROM exported`)
      yield* rows.map(petOfRow)
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

function notOneConnection(cause: unknown): TypeError {
  return new TypeError(
    'exportPets requires options.client to be one connection, without a transaction: pass a pg Client, not a Pool',
    { cause },
  )
}

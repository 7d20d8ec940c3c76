import type { NewPet } from '../../core/index.ts'
import { rowValues } from '../../core/internal.ts'
import { type PostgresClient, rowsOf } from './client.ts'
import type { Table } from './table.ts'

/** A statement has at most so many animals, and about so many characters. */
const chunk = { animals: 1000, characters: 1_000_000 }

/** A setting that exists within the transaction only. A statement that runs on another connection finds it empty, and adds nothing. */
const marker = 'pet_adoption_service.importing'

/**
 * Adds all of the animals in one transaction. Returns how many they were.
 *
 * @throws {TypeError} The client is not one connection.
 */
export async function importInto(
  { name }: Table,
  client: PostgresClient,
  pets: Iterable<NewPet> | AsyncIterable<NewPet>,
): Promise<number> {
  const insert = `
    WITH added AS (
      INSERT INTO ${name} (name, category_id, status)
      SELECT name, category_id, status
      FROM ROWS FROM (json_to_recordset($1::text::json) AS (name text, category_id bigint, status text))
        WITH ORDINALITY AS pet (name, category_id, status, place)
      WHERE current_setting('${marker}', true) = 'yes'
      ORDER BY place
      RETURNING 1
    )
    SELECT count(*)::text AS count FROM added`
  let rows: string[] = []
  let characters = 0
  let total = 0

  async function send(): Promise<void> {
    const [added] = rowsOf<{ count: string }>(await client.query(insert, [`[${rows.join()}]`]))
    if (Number(added?.count) !== rows.length)
      throw new TypeError(
        'importPets requires options.client to be one connection: pass a pg Client, not a Pool',
      )
    total += rows.length
    rows = []
    characters = 0
  }

  await client.query('BEGIN')
  try {
    await client.query(`SELECT set_config('${marker}', 'yes', true)`)
    for await (const pet of pets) {
      const [petName, category_id, status] = rowValues(pet)
      const row = JSON.stringify({ name: petName, category_id, status })
      rows.push(row)
      characters += row.length
      if (rows.length >= chunk.animals || characters >= chunk.characters) await send()
    }
    await send()
    await client.query(`ANALYZE ${name}`)
    await client.query('COMMIT')
    return total
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {}) // a lost connection has rolled back by itself
    throw error
  }
}

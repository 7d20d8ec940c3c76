import type { NewPet } from '../../core/index.ts'
import { rowValues } from '../../core/internal.ts'
import type { PostgresClient } from './client.ts'
import type { Table } from './table.ts'

/** How much goes into one statement: so many animals, or about so many characters of them. */
const chunk = { animals: 1000, characters: 1_000_000 }

/** Set within the transaction only: a statement that another connection got finds it empty, and adds nothing. */
const marker = 'pet_adoption_service.importing'

/** Adds all of the animals in one transaction. The client must be one connection. */
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
    const { rows: counts } = await client.query(insert, [`[${rows.join()}]`])
    // The statement answers one row of this shape.
    const [added] = counts as [{ count: string }]
    if (Number(added.count) !== rows.length)
      throw new TypeError(
        'importPets needs options.client to be one connection: hand in a pg Client, not a Pool',
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

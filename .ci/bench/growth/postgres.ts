import pg from 'pg'
import { createPostgresKeyStore, createPostgresStore, migrate } from '../../../dist/adapters/postgres.js'
import { createDatabase } from '../database.ts'
import { type Costs, costOfLookup, costsOfRequests, newPets } from './costs.ts'

/** Keys whose hashes are spread over all hashes. */
const insertKeys = `
  INSERT INTO pets_api_keys (sha256, id, plan, created_at)
  SELECT lpad(to_hex((i * 4294967296) / $1::bigint), 8, '0') || lpad(to_hex(i), 56, '0'), 'caller-' || i, 'pro', 0
  FROM generate_series(0::bigint, $1::bigint - 1) AS i`

/**
 * Measures the stores in a database of their own, one request after the other, creations ten at a time.
 *
 */
export async function costsInPostgres(size: number): Promise<Costs> {
  const database = await createDatabase()
  const pool = new pg.Pool({ connectionString: database.place, max: 10 })
  pool.on('connect', ignoreEnd).on('error', () => {})
  try {
    await migrate(pool)
    const importMs = await importInto(database.place, size)
    const { rows } = await pool.query("SELECT pg_total_relation_size('pets')::float8 AS bytes")
    const costs = await costsOfRequests(createPostgresStore({ client: pool }), size, 10)
    await pool.query(insertKeys, [size])
    await pool.query('ANALYZE pets_api_keys')
    const key = await costOfLookup(createPostgresKeyStore({ client: pool }))
    return { import: (importMs * 1000) / size, bytes: rows[0].bytes / size, ...costs, key }
  } finally {
    await pool.end()
    await database.drop()
  }
}

/** `end` resolves while a connection is closing; the end of the database is an event of the connection, and no failure. */
function ignoreEnd(client: pg.ClientBase): void {
  client.on('error', () => {})
}

/** Returns the milliseconds of an import, which requires a connection of its own. */
async function importInto(url: string, size: number): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  ignoreEnd(client)
  await client.connect()
  try {
    const begin = performance.now()
    await createPostgresStore({ client }).importPets(newPets(size))
    return performance.now() - begin
  } finally {
    await client.end()
  }
}

import { after } from 'node:test'
import pg from 'pg'
import { connectResource, type Resource } from './resource.ts'
import { runId } from './run-id.ts'

export const postgresUrl: string =
  process.env.PET_ADOPTION_TEST_DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/test'

/** Creates a pool with timeouts for tests, and closes it after the tests. */
export function createPool(url: string, config: pg.PoolConfig = {}): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: 4,
    connectionTimeoutMillis: 20_000,
    query_timeout: 20_000,
    options: '-c synchronous_commit=off', // data may be lost in a crash; waiting for the disk doubles the time
    ...config,
  })
  pool.on('error', () => {}) // the next query reconnects
  after(() => pool.end())
  return pool
}

/** Connects to this machine's PostgreSQL server. */
export function connectPostgres(): Promise<Resource<pg.Pool>> {
  return connectResource(async () => {
    const pool = createPool(postgresUrl)
    await pool.query('SELECT 1')
    return pool
  })
}

let tables = 0

/** Returns a function that creates table names. The tables are dropped after the tests. */
export function createTableNamer(): () => string {
  const names: string[] = []
  after(async () => {
    if (names.length === 0) return
    const client = new pg.Client(postgresUrl) // the pool may already be closed
    await client.connect()
    const tables = names.flatMap((name) => [name, `${name}_api_keys`, `${name}_creations`])
    await client.query(`DROP TABLE IF EXISTS ${tables.join()}`)
    await client.end()
  })
  return () => {
    const name = `pets_test_${runId}_${tables++}`
    names.push(name)
    return name
  }
}

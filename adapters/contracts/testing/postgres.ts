import { after } from 'node:test'
import pg from 'pg'
import { type Part, service } from './part.ts'
import { runId } from './run-id.ts'

export const postgresUrl: string =
  process.env.PET_ADOPTION_TEST_DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/test'

/** Creates a pool with timeouts that suit tests. It is closed when the test file is done. */
export function poolFor(url: string, config: pg.PoolConfig = {}): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: 4,
    connectionTimeoutMillis: 20_000,
    query_timeout: 20_000,
    ...config,
  })
  pool.on('error', () => {}) // an idle connection that is lost is replaced by the next query
  after(() => pool.end())
  return pool
}

/** Connects to the PostgreSQL of this machine, if there is one. */
export function connectPostgres(): Promise<Part<pg.Pool>> {
  return service(async () => {
    const pool = poolFor(postgresUrl)
    await pool.query('SELECT 1')
    return pool
  })
}

let tables = 0

/** Returns a function that creates names of tables for this test file. The tables are dropped when the file is done. */
export function temporaryTables(): () => string {
  const names: string[] = []
  after(async () => {
    if (names.length === 0) return
    const client = new pg.Client(postgresUrl) // the pool may be closed by now
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

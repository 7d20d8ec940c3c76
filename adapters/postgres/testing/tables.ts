import assert from 'node:assert/strict'
import { after } from 'node:test'
import pg from 'pg'
import type { NewPet } from '../../../core/index.ts'
import { partValue, testWith } from '../../contracts/testing/part.ts'
import { connectPostgres, postgresUrl, temporaryTables } from '../../contracts/testing/postgres.ts'
import { createPostgresStore, migrate, type PostgresClient, type PostgresStore } from '../index.ts'

const postgres = await connectPostgres()

/** A `test` that is skipped without a PostgreSQL on this machine. */
export const test: ReturnType<typeof testWith> = testWith(postgres)
/** Creates names of tables for this test file. */
export const newTable: () => string = temporaryTables()
export const rex: NewPet = { name: 'Rex', categoryId: 1n, status: 'sold' }

/** The pool of this test file. */
export function pool(): pg.Pool {
  return partValue(postgres)
}

/** Opens a single connection, which is closed when the test file is done. */
export async function connect(): Promise<pg.Client> {
  const client = new pg.Client(postgresUrl)
  await client.connect()
  after(() => client.end())
  return client
}

/** Migrates the tables, and opens a store on them, with their name. */
export async function openStore(
  client: PostgresClient = pool(),
  table: string = newTable(),
): Promise<PostgresStore & { readonly table: string }> {
  await migrate(client, { table })
  return { ...createPostgresStore({ client, table }), table }
}

/** Maximum number of queries, of about 1 ms each. */
const attempts = 10_000

/** Resolves when a server process waits for a kind of lock, a `wait_event` of PostgreSQL. */
export async function untilBlocked(pool: pg.Pool, pid: number, kind: string): Promise<void> {
  const blocked = 'SELECT 1 FROM pg_stat_activity WHERE pid = $1 AND wait_event = $2'
  for (let attempt = 0; attempt < attempts; attempt++)
    if ((await pool.query(blocked, [pid, kind])).rows.length > 0) return
  assert.fail(`the process does not wait for a lock of the kind ${kind}`)
}

/** Returns the server process of a pool with one connection. */
export async function readPid(pool: pg.Pool): Promise<number> {
  return (await pool.query('SELECT pg_backend_pid() AS pid')).rows[0].pid
}

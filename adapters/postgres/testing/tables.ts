import assert from 'node:assert/strict'
import { after } from 'node:test'
import pg from 'pg'
import type { NewPet } from '../../../core/index.ts'
import { connectPostgres, createTableNamer, postgresUrl } from '../../contracts/testing/postgres.ts'
import { getResource, testWith } from '../../contracts/testing/resource.ts'
import { createPostgresStore, migrate, type PostgresClient, type PostgresStore } from '../index.ts'

const postgres = await connectPostgres()

/** Defines a test that needs PostgreSQL on this machine. */
export const test: ReturnType<typeof testWith> = testWith(postgres)
export const createTableName: () => string = createTableNamer()
export const rex: NewPet = { name: 'Rex', categoryId: 1n, status: 'sold' }

export function getPool(): pg.Pool {
  return getResource(postgres)
}

/** Opens a connection and closes it after the tests. */
export async function connect(): Promise<pg.Client> {
  const client = new pg.Client(postgresUrl)
  await client.connect()
  after(() => client.end())
  return client
}

/** Creates a table and opens its store. */
export async function openStore(
  client: PostgresClient = getPool(),
  table: string = createTableName(),
): Promise<PostgresStore & { readonly table: string }> {
  await migrate(client, { table })
  return { ...createPostgresStore({ client, table }), table }
}

/** How often a test looks for the lock before it fails. An attempt takes about 1 ms. */
const maxAttempts = 10_000

/** Waits until a PostgreSQL backend waits for a lock of this kind. */
export async function waitUntilBlocked(pool: pg.Pool, pid: number, kind: string): Promise<void> {
  const blocked = 'SELECT 1 FROM pg_stat_activity WHERE pid = $1 AND wait_event = $2'
  for (let attempt = 0; attempt < maxAttempts; attempt++)
    if ((await pool.query(blocked, [pid, kind])).rows.length > 0) return
  assert.fail(`the process does not wait for ${kind}`)
}

export async function readPid(pool: pg.Pool): Promise<number> {
  return (await pool.query('SELECT pg_backend_pid() AS pid')).rows[0].pid
}

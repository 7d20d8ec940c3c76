import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import pg from 'pg'
import { StoreUnavailable } from '../../core/index.ts'
import { testWith } from '../contracts/testing/part.ts'
import { connectPostgres, postgresUrl, temporaryTables } from '../contracts/testing/postgres.ts'
import { createPostgresStore, migrate, type PostgresStore } from '../postgres.ts'

const test = testWith(await connectPostgres())
const newTable = temporaryTables()

interface Checked {
  /** One connection, so that its settings last. */
  readonly client: pg.Client
  readonly table: string
  readonly store: PostgresStore
}

async function open(t: TestContext): Promise<Checked> {
  const client = new pg.Client(postgresUrl)
  await client.connect()
  t.after(() => client.end())
  const table = newTable()
  await migrate(client, { table })
  return { client, table, store: createPostgresStore({ client, table }) }
}

const kinds = [{}, { whole: true }]

test('a check of writes leaves no animal and no key', async (t) => {
  const { client, table, store } = await open(t)
  for (const kind of kinds) await store.checkWrites(kind)
  for (const name of [table, `${table}_creations`])
    assert.deepEqual((await client.query(`SELECT 1 FROM ${name}`)).rows, [])
})

test('a check of writes fails on a read-only server, and not once it is writable', async (t) => {
  const { client, store } = await open(t)
  await client.query('SET default_transaction_read_only = on')
  for (const kind of kinds) await assert.rejects(store.checkWrites(kind), StoreUnavailable)
  await client.query('SET default_transaction_read_only = off')
  for (const kind of kinds) await store.checkWrites(kind)
})

test('a check of writes waits for a lock as a creation does', async (t) => {
  const { client, table, store } = await open(t)
  await client.query("SET lock_timeout = '20ms'")
  const other = new pg.Client(postgresUrl)
  await other.connect()
  for (const name of [table, `${table}_creations`]) {
    await other.query(`BEGIN; LOCK TABLE ${name} IN SHARE MODE`)
    for (const kind of kinds) await assert.rejects(store.checkWrites(kind), StoreUnavailable)
    await store.list({ limit: 1 })
    await other.query('ROLLBACK')
    for (const kind of kinds) await store.checkWrites(kind)
  }
  await other.end()
})

test('a whole check of writes finds that no row can be stored', async (t) => {
  const { client, table, store } = await open(t)
  await client.query(`CREATE FUNCTION ${table}_full() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE 'could not extend file' USING ERRCODE = 'disk_full'; END $$`)
  await client.query(
    `CREATE TRIGGER full_disk BEFORE INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION ${table}_full()`,
  )
  await store.checkWrites()
  await assert.rejects(store.checkWrites({ whole: true }), StoreUnavailable)
  await client.query(`DROP FUNCTION ${table}_full() CASCADE`)
  await store.checkWrites({ whole: true })
})

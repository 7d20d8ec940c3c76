import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { StoreUnavailableError } from '../../core/index.ts'
import { connect, openStore, test } from './testing/tables.ts'

/** Opens a store on a single connection, so that its settings last. */
async function open() {
  const client = await connect()
  const store = await openStore(client)
  return { client, table: store.table, store }
}

const kinds = [{}, { whole: true }]

describe('the PostgreSQL write check', () => {
  test('rejects on a read-only server, and stores nothing', async () => {
    const { client, table, store } = await open()
    await client.query('SET default_transaction_read_only = on')
    for (const kind of kinds) await assert.rejects(store.checkWrites(kind), StoreUnavailableError)
    await client.query('SET default_transaction_read_only = off')
    for (const kind of kinds) await store.checkWrites(kind)
    for (const name of [table, `${table}_creations`])
      assert.deepEqual((await client.query(`SELECT 1 FROM ${name}`)).rows, [])
  })

  test('rejects while another client locks a table', async () => {
    const { client, table, store } = await open()
    await client.query("SET lock_timeout = '20ms'")
    const other = await connect()
    for (const name of [table, `${table}_creations`]) {
      await other.query(`BEGIN; LOCK TABLE ${name} IN SHARE MODE`)
      for (const kind of kinds) await assert.rejects(store.checkWrites(kind), StoreUnavailableError)
      await store.list({ limit: 1 })
      await other.query('ROLLBACK')
      for (const kind of kinds) await store.checkWrites(kind)
    }
  })

  test('detects a full disk when it writes rows', async () => {
    const { client, table, store } = await open()
    await client.query(`CREATE FUNCTION ${table}_full() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE 'could not extend file' USING ERRCODE = 'disk_full'; END $$`)
    await client.query(
      `CREATE TRIGGER full_disk BEFORE INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION ${table}_full()`,
    )
    await store.checkWrites()
    await assert.rejects(store.checkWrites({ whole: true }), StoreUnavailableError)
    await client.query(`DROP FUNCTION ${table}_full() CASCADE`)
    await store.checkWrites({ whole: true })
  })
})

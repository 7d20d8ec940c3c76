import assert from 'node:assert/strict'
import { after, describe } from 'node:test'
import { StoreUnavailableError } from '../../core/index.ts'
import { createPool, postgresUrl } from '../contracts/testing/postgres.ts'
import { runId } from '../contracts/testing/run-id.ts'
import { createPostgresStore, migrate } from './index.ts'
import { createTableName, getPool, readPid, rex, test, waitUntilBlocked } from './testing/tables.ts'

const [missing, newest] = [0, 2].map((from) => ({ from, to: 2 }))

async function listTables(table: string): Promise<string[]> {
  const select = 'SELECT tablename FROM pg_tables WHERE starts_with(tablename, $1)'
  const { rows } = await getPool().query(select, [table])
  return rows.map(({ tablename }) => tablename.slice(table.length)).sort()
}

describe('a PostgreSQL migration', () => {
  test('changes nothing if its connection is lost', async () => {
    const table = createTableName()
    const [other, migrating] = [await getPool().connect(), createPool(postgresUrl, { max: 1 })]
    const pid = await readPid(migrating)
    // The migration waits for this transaction, which creates a table with the same name.
    await other.query(`BEGIN; CREATE TABLE ${table}_creations (id int)`)
    const migration = assert.rejects(migrate(migrating, { table }), StoreUnavailableError)
    await waitUntilBlocked(getPool(), pid, 'transactionid')
    await other.query(`SELECT pg_terminate_backend(${pid})`)
    await migration
    await other.query('ROLLBACK')
    other.release()
    assert.deepEqual(await listTables(table), [])
    assert.deepEqual(await migrate(migrating, { table }), missing)
    assert.deepEqual(await listTables(table), ['', '_api_keys', '_creations'])
  })

  test('runs once if several processes start it', async () => {
    const table = createTableName()
    const pools = Array.from({ length: 10 }, () => createPool(postgresUrl, { max: 1 }))
    const migrateAll = () => Promise.all(pools.map((pool) => migrate(pool, { table })))
    const found = (await migrateAll()).map(({ from }) => from)
    assert.deepEqual(found.sort(), [0, ...Array<number>(9).fill(2)])
    assert.deepEqual(await migrateAll(), Array(10).fill(newest))
  })

  for (const [comment, message] of Object.entries({
    "'pet-adoption-service schema 99'":
      /newer version .*schema 99; this one supports 2\): update this program/,
    "'pet-adoption-service schema 1'":
      /version before 1\.0\.0 \(schema 1\): export its animals with that version/,
    "'of another program'": /belongs to another program: choose another table/,
    NULL: /belongs to another program.*restore its comment.*COMMENT ON TABLE "pets_test_\w+" IS/,
  }))
    test(`rejects a table with the comment ${comment}`, async () => {
      const table = createTableName()
      await getPool().query(`CREATE TABLE ${table} (id int); COMMENT ON TABLE ${table} IS ${comment}`)
      await assert.rejects(migrate(getPool(), { table }), message)
      assert.deepEqual(await listTables(table), [''])
    })

  test('fails if the key table already exists', async () => {
    const table = createTableName()
    await getPool().query(`CREATE TABLE ${table}_api_keys (hash text)`)
    await assert.rejects(migrate(getPool(), { table }), /already exists/)
    assert.deepEqual(await listTables(table), ['_api_keys'])
  })

  test('needs the table owner only if tables must change', async () => {
    const [schema, role] = [`pets_test_${runId}_roles`, `pets_test_${runId}_reader`]
    const table = `${schema}.${'x'.repeat(51)}`
    await getPool().query(`CREATE SCHEMA ${schema}; CREATE ROLE ${role} LOGIN`)
    after(() => createPool(postgresUrl).query(`DROP SCHEMA ${schema} CASCADE; DROP ROLE ${role}`))
    await getPool().query(`GRANT USAGE ON SCHEMA ${schema} TO ${role}`)
    const url = new URL(postgresUrl)
    url.username = role
    const client = createPool(url.href)
    await assert.rejects(migrate(client, { table }), /migrate with the role that owns them/)
    assert.deepEqual(await migrate(getPool(), { table }), missing)
    assert.deepEqual(await migrate(client, { table }), newest)
    const store = createPostgresStore({ client, table })
    await assert.rejects(store.create(rex), /lacks a privilege: GRANT .* ON x+ TO/)
    await getPool().query(`GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${schema} TO ${role};
    GRANT USAGE ON ALL SEQUENCES IN SCHEMA ${schema} TO ${role}`)
    const key = { token: 'a'.repeat(64), fingerprint: 'b'.repeat(64), now: 1, expiresAt: 2 }
    assert.deepEqual(await store.createOnce(rex, key), { outcome: 'created', id: 1n })
    assert.deepEqual(await store.update(1n, { name: 'Max' }), { ...rex, id: 1n, name: 'Max' })
    assert.equal(await store.remove(1n), true)
  })
})

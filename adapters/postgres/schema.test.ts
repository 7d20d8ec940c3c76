import assert from 'node:assert/strict'
import { after } from 'node:test'
import type pg from 'pg'
import { StoreUnavailable } from '../../core/index.ts'
import { poolFor, postgresUrl } from '../contracts/testing/postgres.ts'
import { runId } from '../contracts/testing/run-id.ts'
import { createPostgresStore, migrate } from '../postgres.ts'
import { pool, rex, test } from './testing/tables.ts'
import { pidOf, untilBlocked } from './testing/until-blocked.ts'

const newest = { from: 2, to: 2 }
const missing = { from: 0, to: 2 }

/** A schema of the database that one test has for itself. */
interface Schema {
  readonly name: string
  /** Opens a pool whose search path is the schema. */
  open(config?: pg.PoolConfig): pg.Pool
}

const names: string[] = []
const role = `pets_test_${runId}_reader`
after(async () => {
  if (names.length === 0) return
  const pool = poolFor(postgresUrl)
  await pool.query(`DROP SCHEMA ${names.join()} CASCADE`)
  await pool.query(`DROP OWNED BY ${role}`).catch(() => {}) // the role may not have been created
  await pool.query(`DROP ROLE IF EXISTS ${role}`)
})

async function newSchema(): Promise<Schema> {
  const name = `pets_test_${runId}_v${names.length}`
  names.push(name)
  await pool().query(`CREATE SCHEMA ${name}`)
  return { name, open: (config) => poolFor(postgresUrl, { options: `-c search_path=${name}`, ...config }) }
}

async function tablesOf({ name }: Schema): Promise<string[]> {
  const tables = await pool().query('SELECT tablename FROM pg_tables WHERE schemaname = $1', [name])
  return tables.rows.map(({ tablename }) => tablename).sort()
}

test('creates the tables once, and finds those that are there', async () => {
  const schema = await newSchema()
  const pool = schema.open()
  assert.deepEqual(await migrate(pool), missing)
  assert.deepEqual(await migrate(pool), newest)
  assert.deepEqual(await tablesOf(schema), ['pets', 'pets_api_keys', 'pets_creations'])
})

test('a migration whose connection is lost in the middle leaves nothing, and the next one does it', async () => {
  const schema = await newSchema()
  const [other, migrating] = [await schema.open().connect(), schema.open({ max: 1 })]
  const pid = await pidOf(migrating)
  // The first tables have been created when the migration waits for this name, which another transaction takes.
  await other.query('BEGIN; CREATE TABLE pets_creations (id int)')
  const migration = assert.rejects(migrate(migrating), StoreUnavailable)
  await untilBlocked(pool(), pid, 'transactionid')
  await other.query(`SELECT pg_terminate_backend(${pid})`)
  await migration
  await other.query('ROLLBACK')
  other.release()
  assert.deepEqual(await tablesOf(schema), [])
  assert.deepEqual(await migrate(migrating), missing)
})

test('many connections create the tables at once', async () => {
  const schema = await newSchema()
  const pools = Array.from({ length: 10 }, () => schema.open({ max: 1 }))
  for (const { to } of await Promise.all(pools.map((pool) => migrate(pool)))) assert.equal(to, 2)
  for (const pool of pools) assert.deepEqual(await migrate(pool), newest)
})

for (const [comment, message] of Object.entries({
  "'pet-adoption-service schema 99'": /newer version .*schema 99; this one knows 2\): update this program/,
  "'pet-adoption-service schema 1'":
    /version before 1\.0\.0 \(schema 1\): export its animals with that version/,
  "'of another program'": /belongs to another program: name another table/,
  NULL: /belongs to another program.*restore its comment.*COMMENT ON TABLE "pets" IS/,
}))
  test(`a table with the comment ${comment} is left as it is, and the message says what to do`, async () => {
    const schema = await newSchema()
    const pool = schema.open()
    await pool.query(`CREATE TABLE pets (id int); COMMENT ON TABLE pets IS ${comment}`)
    await assert.rejects(migrate(pool), message)
    assert.deepEqual(await tablesOf(schema), ['pets'])
  })

test('a table with the name of a new one stops the migration, and stays as it is', async () => {
  const schema = await newSchema()
  const pool = schema.open()
  await pool.query('CREATE TABLE pets_api_keys (hash text)')
  await assert.rejects(migrate(pool), /already exists/)
  assert.deepEqual(await tablesOf(schema), ['pets_api_keys'])
})

test('a role that may not create tables is told so, and works once another one has migrated', async () => {
  const schema = await newSchema()
  const owner = schema.open()
  await owner.query(`CREATE ROLE ${role} LOGIN; GRANT USAGE ON SCHEMA ${schema.name} TO ${role}`)
  const url = new URL(postgresUrl)
  url.username = role
  const pool = poolFor(url.href, { options: `-c search_path=${schema.name}` })
  await assert.rejects(migrate(pool), /migrate with the role that owns them/)
  await migrate(owner)
  assert.deepEqual(await migrate(pool), newest)
  const store = createPostgresStore({ client: pool })
  await assert.rejects(store.create(rex), /lacks a privilege: GRANT .* ON pets TO/)
  await owner.query(`GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${schema.name} TO ${role};
    GRANT USAGE ON ALL SEQUENCES IN SCHEMA ${schema.name} TO ${role}`)
  const key = { token: 'a'.repeat(64), fingerprint: 'b'.repeat(64), now: 1, expiresAt: 2 }
  assert.deepEqual(await store.createOnce(rex, key), { outcome: 'created', id: 1n })
  assert.deepEqual(await store.update(1n, { name: 'Max' }), { ...rex, id: 1n, name: 'Max' })
  assert.equal(await store.remove(1n), true)
})

test('the longest name of a table leaves room for the others', async () => {
  const schema = await newSchema()
  const [pool, table] = [schema.open(), `${schema.name}.${'x'.repeat(51)}`]
  assert.deepEqual(await migrate(pool, { table }), missing)
  assert.deepEqual(await migrate(pool, { table }), newest)
  assert.equal((await createPostgresStore({ client: pool, table }).create(rex)).id, 1n)
})

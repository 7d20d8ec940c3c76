import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after } from 'node:test'
import type pg from 'pg'
import { StoreUnavailable } from '../../core/index.ts'
import { partValue, testWith } from '../contracts/testing/part.ts'
import { connectPostgres, poolFor, postgresUrl } from '../contracts/testing/postgres.ts'
import { storedByVersionOne as stored } from '../contracts/testing/version-one.ts'
import { createPostgresStore, migrate, readSchema } from '../postgres.ts'
import { newestVersion } from './migrations.ts'
import { pidOf, untilBlocked } from './testing/until-blocked.ts'

const postgres = await connectPostgres()
const fixture = readFileSync(new URL('testing/version-1.sql', import.meta.url), 'utf8')
const newest = { from: newestVersion, to: newestVersion }

/** A schema of the database that one test has for itself. */
interface Schema {
  readonly name: string
  /** Opens a pool whose search path is the schema. */
  open(config?: pg.PoolConfig): pg.Pool
}

const names: string[] = []
after(async () => {
  if ('absent' in postgres || names.length === 0) return
  const pool = poolFor(postgresUrl)
  await pool.query(`DROP SCHEMA ${names.join()} CASCADE`)
  await pool.query(`DROP OWNED BY ${role}`).catch(() => {}) // the role may not have been created
  await pool.query(`DROP ROLE IF EXISTS ${role}`)
})
const role = `pets_test_${process.pid}_reader`

async function newSchema(): Promise<Schema> {
  const name = `pets_test_${process.pid}_v${names.length}`
  names.push(name)
  await partValue(postgres).query(`CREATE SCHEMA ${name}`)
  return { name, open: (config) => poolFor(postgresUrl, { options: `-c search_path=${name}`, ...config }) }
}

/** Restores the dump of a database that version 1 of the schema has written, after a change of its text. */
async function restoreVersionOne(change = (sql: string): string => sql): Promise<Schema> {
  const schema = await newSchema()
  const pool = schema.open({ max: 1, allowExitOnIdle: true })
  await pool.query(change(fixture).replaceAll('public.', `${schema.name}.`))
  return schema
}

const test = testWith(postgres)

/** Asserts that a database has the newest schema and the animals of the fixture, and goes on counting where it was. */
async function assertMigrated(pool: pg.Pool): Promise<void> {
  assert.deepEqual(await readSchema(pool), newest)
  const store = createPostgresStore({ client: pool })
  assert.deepEqual(await store.list({ limit: 10 }), stored)
  assert.equal((await store.create({ name: 'Max', categoryId: 1n })).id, 6n)
}

/** Everything that the schema consists of. */
async function structureOf({ name, open }: Schema): Promise<unknown> {
  const { rows } = await open().query(`
    SELECT table_name || '.' || column_name AS name,
      concat_ws(' ', data_type, is_nullable, is_identity, identity_generation, identity_maximum) AS definition
    FROM information_schema.columns WHERE table_schema = '${name}'
    UNION ALL SELECT indexname, replace(indexdef, '${name}.', '') FROM pg_indexes WHERE schemaname = '${name}'
    UNION ALL SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint WHERE connamespace = '${name}'::regnamespace
    UNION ALL SELECT relname, obj_description(oid) FROM pg_class WHERE relnamespace = '${name}'::regnamespace
    ORDER BY 1, 2`)
  return rows
}

test('a database of version 1 is migrated, with its animals, and its next id', async () => {
  const pool = (await restoreVersionOne()).open()
  assert.deepEqual(await readSchema(pool), { from: 1, to: newestVersion })
  assert.deepEqual(await migrate(pool), { from: 1, to: newestVersion })
  assert.deepEqual(await migrate(pool), newest)
  await assertMigrated(pool)
})

test('a migrated database has the same tables, indexes and constraints as a new one', async () => {
  const [migrated, created] = [await restoreVersionOne(), await newSchema()]
  assert.deepEqual(await migrate(created.open()), { from: 0, to: newestVersion })
  await migrate(migrated.open())
  assert.deepEqual(await structureOf(migrated), await structureOf(created))
})

test('a migration whose connection is lost in the middle leaves version 1 whole, and the next one does it', async () => {
  const schema = await restoreVersionOne()
  const [other, migrating] = [await schema.open().connect(), schema.open({ max: 1 })]
  const pid = await pidOf(migrating)
  // The new tables have been created when the migration waits for this lock, to change the comment.
  await other.query('BEGIN; LOCK TABLE pets IN SHARE UPDATE EXCLUSIVE MODE')
  const migration = assert.rejects(migrate(migrating), StoreUnavailable)
  await untilBlocked(partValue(postgres), pid, 'relation')
  await other.query(`SELECT pg_terminate_backend(${pid})`)
  await migration
  await other.query('ROLLBACK')
  other.release()
  assert.deepEqual(await readSchema(migrating), { from: 1, to: newestVersion })
  const tables = await migrating.query(
    `SELECT relname FROM pg_class WHERE relnamespace = '${schema.name}'::regnamespace AND relkind = 'r'`,
  )
  assert.deepEqual(tables.rows, [{ relname: 'pets' }])
  await migrate(migrating)
  await assertMigrated(migrating)
})

test('many connections create or migrate the tables at once, and one of them does it', async () => {
  const [old, empty] = [await restoreVersionOne(), await newSchema()]
  for (const [schema, version] of [
    [old, 1],
    [empty, 0],
  ] as const) {
    const pools = Array.from({ length: 10 }, () => schema.open({ max: 1 }))
    const results = await Promise.all(pools.map((pool) => migrate(pool)))
    assert.deepEqual(results.map(({ from }) => from).sort(), [
      version,
      ...Array<number>(9).fill(newestVersion),
    ])
  }
  await assertMigrated(old.open())
})

test('a program of version 1 goes on serving after the migration', async () => {
  const schema = await restoreVersionOne()
  const [old, pool] = [schema.open(), schema.open()]
  const create = async (name: string): Promise<string> => {
    const insert =
      'INSERT INTO "pets" (name, category_id, status) VALUES ($1, $2::bigint, $3) RETURNING id::text AS id'
    return (await old.query(insert, [name, '1', 'sold'])).rows[0].id
  }
  const names = async (): Promise<string[]> => {
    const list = `SELECT pet.id::text AS id, name, category_id::text AS "categoryId", status FROM "pets" AS pet
      WHERE (status, pet.id) > ($3, $1::bigint) AND (status, pet.id) <= ($3, 9223372036854775807)
      ORDER BY status, pet.id LIMIT $2::int`
    return (await old.query(list, ['0', 20, 'sold'])).rows.map(({ name }) => name)
  }
  assert.equal(await create('before'), '6')
  await migrate(pool)
  const store = createPostgresStore({ client: pool })
  const { id } = await store.create({ name: 'new', categoryId: 1n, status: 'sold' })
  assert.equal(await create('after'), String(id + 1n))
  await store.update(id, { name: 'changed' })
  await store.remove(3n)
  assert.deepEqual(await names(), ['before', 'changed', 'after'])
})

test('a dump without comments is recognized by its columns, of any version', async () => {
  const schema = await restoreVersionOne((sql) => sql.replace(/^COMMENT .*$/m, ''))
  const pool = schema.open()
  assert.deepEqual(await readSchema(pool), { from: 1, to: newestVersion })
  assert.deepEqual(await migrate(pool), { from: 1, to: newestVersion })
  await pool.query('COMMENT ON TABLE pets IS NULL')
  assert.deepEqual(await migrate(pool), newest)
  await assertMigrated(pool)
})

test('a table without a comment that has other columns is left alone, and the message says what to do', async () => {
  const schema = await restoreVersionOne((sql) =>
    sql.replace(/^COMMENT .*$/m, 'ALTER TABLE public.pets ADD COLUMN age int;'),
  )
  const pool = schema.open()
  await assert.rejects(migrate(pool), /belongs to another program.*COMMENT ON TABLE "pets" IS/)
  await pool.query(`COMMENT ON TABLE pets IS 'pet-adoption-service schema 1'`)
  assert.deepEqual(await migrate(pool), { from: 1, to: newestVersion })
})

test('new tables are created next to the table, wherever the search path finds it', async () => {
  const [first, second] = [await newSchema(), await restoreVersionOne()]
  const pool = first.open({ options: `-c search_path=${first.name},${second.name}` })
  await migrate(pool)
  const { rows } = await pool.query(
    `SELECT schemaname FROM pg_tables WHERE tablename = 'pets_creations' AND schemaname IN ('${first.name}', '${second.name}')`,
  )
  assert.deepEqual(rows, [{ schemaname: second.name }])
  assert.equal((await pool.query('SHOW search_path')).rows[0].search_path, `${first.name},${second.name}`)
})

test('a role that may not create tables is told so, and works once another one has migrated', async () => {
  const schema = await restoreVersionOne()
  const owner = schema.open()
  await owner.query(`CREATE ROLE ${role} LOGIN; GRANT USAGE ON SCHEMA ${schema.name} TO ${role}`)
  const grants = `GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${schema.name} TO ${role};
    GRANT USAGE ON ALL SEQUENCES IN SCHEMA ${schema.name} TO ${role}`
  await owner.query(grants)
  const url = new URL(postgresUrl)
  url.username = role
  const pool = poolFor(url.href, { options: `-c search_path=${schema.name}` })
  await assert.rejects(migrate(pool), /migrate with the role that owns them/)
  await migrate(owner)
  assert.deepEqual(await migrate(pool), newest)
  const store = createPostgresStore({ client: pool })
  const key = { token: 'a'.repeat(64), fingerprint: 'b'.repeat(64), now: 1, expiresAt: 2 }
  const rex = { name: 'Rex', categoryId: 1n }
  await assert.rejects(store.createOnce(rex, key), /lacks a privilege: GRANT .* ON pets_creations TO/)
  await owner.query(grants)
  assert.deepEqual(await store.createOnce(rex, key), { outcome: 'created', id: 6n })
  assert.deepEqual(await store.update(6n, { name: 'Max' }), { id: 6n, name: 'Max', categoryId: 1n })
  assert.equal(await store.remove(6n), true)
})

/** Leaves rows in the tables of the newest version, as they are when a dump of version 1 was restored over them. */
async function restoreOverNewest(pool: pg.Pool): Promise<void> {
  await migrate(pool)
  await pool.query(`INSERT INTO pets_api_keys (sha256, id, plan, created_at) VALUES ('a', 'stale', 'pro', 1);
    INSERT INTO pets_creations VALUES ('token', 'fingerprint', 6, 9999999999999);
    COMMENT ON TABLE pets IS 'pet-adoption-service schema 1'`)
}

test('tables that a later version has left are adopted, and lose their rows', async () => {
  const pool = (await restoreVersionOne()).open()
  await restoreOverNewest(pool)
  assert.deepEqual(await readSchema(pool), { from: 1, to: newestVersion })
  const emptied = ['"pets_api_keys"', '"pets_creations"']
  assert.deepEqual(await migrate(pool), { from: 1, to: newestVersion, emptied })
  const { rows } = await pool.query(
    'SELECT sha256 FROM pets_api_keys UNION ALL SELECT token FROM pets_creations',
  )
  assert.deepEqual(rows, [])
  await assertMigrated(pool)
})

test('the tables that a dump of the animals alone lacks are created, and no other loses a row', async () => {
  const pool = (await restoreVersionOne()).open()
  await restoreOverNewest(pool)
  await pool.query(`DROP TABLE pets_creations; COMMENT ON TABLE pets IS 'pet-adoption-service schema 2'`)
  assert.deepEqual(await migrate(pool), { from: 1, to: newestVersion })
  assert.deepEqual((await pool.query('SELECT id FROM pets_api_keys')).rows, [{ id: 'stale' }])
  assert.deepEqual((await pool.query('SELECT count(*)::int FROM pets_creations')).rows, [{ count: 0 }])
})

test('a table with the name of a new one stops the migration, and stays as it is', async () => {
  const schema = await restoreVersionOne()
  const pool = schema.open()
  await pool.query('CREATE TABLE pets_api_keys (hash text)')
  await assert.rejects(migrate(pool), /another program has a table with the name of one/)
  assert.deepEqual(await readSchema(pool), { from: 1, to: newestVersion })
})

test('the longest name of a table leaves room for the others', async () => {
  const schema = await newSchema()
  const [pool, table] = [schema.open(), `${schema.name}.${'x'.repeat(51)}`]
  assert.deepEqual(await migrate(pool, { table }), { from: 0, to: newestVersion })
  assert.deepEqual(await migrate(pool, { table }), newest)
  assert.equal(
    (await createPostgresStore({ client: pool, table }).create({ name: 'Rex', categoryId: 1n })).id,
    1n,
  )
})

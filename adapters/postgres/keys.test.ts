import assert from 'node:assert/strict'
import type pg from 'pg'
import { StoreUnavailable, sha256 } from '../../core/index.ts'
import { keyStoreContract } from '../contracts/index.ts'
import { freePort } from '../contracts/testing/free-port.ts'
import { partValue, testWith } from '../contracts/testing/part.ts'
import { connectPostgres, poolFor, postgresUrl, temporaryTables } from '../contracts/testing/postgres.ts'
import { createPostgresKeyStore, migrate, type PostgresClient, type PostgresKeyStore } from '../postgres.ts'
import { keyRecordsSuite, recordsNow, shelterKey as shelter } from '../testing/key-records-suite.ts'

const postgres = await connectPostgres()
const test = testWith(postgres)
const newTable = temporaryTables()
const pool = (): pg.Pool => partValue(postgres)
/** Single connections, which change keys. */
const [connection, another] = [poolFor(postgresUrl, { max: 1 }), poolFor(postgresUrl, { max: 1 })]
const clock = () => recordsNow

interface TableKeyStore extends PostgresKeyStore {
  readonly table: string
}

async function openKeys(
  table = newTable(),
  client: PostgresClient = connection,
  options: { clock: () => number } = { clock },
): Promise<TableKeyStore> {
  await migrate(client, { table })
  return { ...createPostgresKeyStore({ client, table, ...options }), table }
}

async function revoke(table: string, hash: string): Promise<void> {
  const keys = createPostgresKeyStore({ client: another, table, clock })
  await keys.update({ sha256: hash }, (found) =>
    found.map((key) => ({ ...key, revokedAt: new Date(recordsNow).toISOString() })),
  )
}

keyStoreContract({
  test,
  createStore: (setup) => openKeys(newTable(), connection, setup),
  addKey: async (keys, key) => void (await keys.update({ id: key.id }, () => [key])),
  revokeKey: ({ table }, hash) => revoke(table, hash),
})

keyRecordsSuite(test, async () => ({ records: await openKeys(), close() {} }))

test('a driver that returns arrays finds keys and changes them', async () => {
  const arrays = {
    query: async (text: string, values?: unknown[]) => (await connection.query(text, values)).rows,
  }
  const keys = await openKeys(newTable(), arrays)
  assert.deepEqual(await keys.update({ id: 'shelter' }, () => [shelter]), [shelter])
  assert.deepEqual(await keys.find('a-key'), {
    id: 'shelter',
    plan: 'enterprise',
    limits: { minute: 5, day: 50 },
  })
  assert.deepEqual(await keys.count(recordsNow), {
    issued: 1,
    inForce: 1,
    nextExpiry: Date.parse('2028-01-01'),
    fingerprint: Number.parseInt(shelter.sha256.slice(0, 6), 16),
  })
})

test('changes from several connections at once are made one after the other', async () => {
  const first = await openKeys()
  const second = await openKeys(first.table, another)
  const add = (keys: PostgresKeyStore, token: string) =>
    keys.update({ id: 'shelter' }, (before) => [
      { ...shelter, sha256: sha256(token), label: `the ${before.length + 1}.` },
    ])
  async function addFive(keys: PostgresKeyStore, name: string): Promise<void> {
    for (let i = 0; i < 5; i++) await add(keys, `${name}-${i}`)
  }
  await Promise.all([addFive(first, 'first'), addFive(second, 'second')])
  const labels = (await first.list()).map(({ label }) => label)
  assert.equal(new Set(labels).size, 10)
})

test('a change requires one connection', async () => {
  const { table } = await openKeys()
  let next = 0
  const turns: PostgresClient = {
    query: (text, values) => [connection, another][next++ % 2]?.query(text, values) ?? Promise.reject(),
  }
  const keys = createPostgresKeyStore({ client: turns, table })
  await assert.rejects(
    keys.update({ id: 'shelter' }, () => [shelter]),
    {
      name: 'TypeError',
      message: 'update requires options.client to be one connection: pass a pg Client, not a Pool',
    },
  )
  for (const one of [connection, another]) await one.query('ROLLBACK')
})

test('while PostgreSQL does not respond, a lookup is StoreUnavailable', async () => {
  const away = poolFor(`postgres://postgres@127.0.0.1:${await freePort()}/test`)
  await assert.rejects(async () => createPostgresKeyStore({ client: away }).find('a-key'), StoreUnavailable)
})

test('without its table, a lookup fails with what to do', async () => {
  const keys = createPostgresKeyStore({ client: pool(), table: `pets_test_${process.pid}_none` })
  await assert.rejects(async () => keys.find('a-key'), /migrate the database/)
})

test('an invalid option is named', () => {
  const client = { query: async () => ({ rows: [] }) }
  // @ts-expect-error: a caller in JavaScript may pass it
  assert.throws(() => createPostgresKeyStore({}), /options\.client/)
  assert.throws(() => createPostgresKeyStore({ client, table: 'x y' }), /options\.table/)
  // @ts-expect-error: likewise
  assert.throws(() => createPostgresKeyStore({ client, cache: 5 }), /options\.cache is no option/)
})

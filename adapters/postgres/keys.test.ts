import assert from 'node:assert/strict'
import type pg from 'pg'
import { StoreUnavailable } from '../../core/index.ts'
import { freePort } from '../contracts/testing/free-port.ts'
import { partValue, testWith } from '../contracts/testing/part.ts'
import { connectPostgres, poolFor, postgresUrl, temporaryTables } from '../contracts/testing/postgres.ts'
import { createPostgresKeyStore, type PostgresClient } from '../postgres.ts'
import { shelterKey as shelter } from '../testing/key-records-suite.ts'
import { openKeys } from './testing/key-suites.ts'

const postgres = await connectPostgres()
const test = testWith(postgres)
const newTable = temporaryTables()
const pool = (): pg.Pool => partValue(postgres)
/** Single connections, which change keys. */
const [connection, another] = [poolFor(postgresUrl, { max: 1 }), poolFor(postgresUrl, { max: 1 })]

test('a change requires one connection', async () => {
  const { table } = await openKeys(connection, newTable())
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

test('fake timers move the expiry of a stored key', async (t) => {
  const { table } = await openKeys(connection, newTable())
  const keys = createPostgresKeyStore({ client: connection, table })
  await keys.update({ id: 'shelter' }, () => [shelter])
  const expiry = Date.parse(shelter.expiresAt ?? '')
  t.mock.timers.enable({ apis: ['Date'], now: expiry - 1 })
  assert.equal((await keys.find('a-key'))?.id, 'shelter')
  t.mock.timers.setTime(expiry)
  assert.equal(await keys.find('a-key'), undefined)
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

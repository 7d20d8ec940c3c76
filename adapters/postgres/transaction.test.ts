import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import type pg from 'pg'
import { type Pet, StoreUnavailableError } from '../../core/index.ts'
import { createPool, postgresUrl } from '../contracts/testing/postgres.ts'
import { shelterKey } from '../testing/key-records-suite.ts'
import { createPostgresKeyStore, createPostgresStore, type PostgresClient } from './index.ts'
import { connect, createTableName, getPool, openStore, rex, test } from './testing/tables.ts'

/** Returns calls of the methods that run in a transaction. */
function createTransactionCalls(client: PostgresClient, table: string): readonly (() => Promise<unknown>)[] {
  const store = createPostgresStore({ client, table })
  return [
    () => createPostgresKeyStore({ client, table }).update({ id: 'shelter' }, () => [shelterKey]),
    () => store.importPets([rex]),
    async () => {
      for await (const { name } of store.exportPets()) assert.equal(name, rex.name)
    },
  ]
}

/** Creates a client that sends statements through the pool and records them. */
function createRecordingClient(members: Partial<PostgresClient> = {}) {
  const statements: string[] = []
  const client: PostgresClient = {
    query(text, values) {
      statements.push(text)
      return getPool().query(text, values)
    },
    ...members,
  }
  return { client, statements }
}

describe('a PostgreSQL transaction', () => {
  test('does not affect concurrent statements on the same pool', async () => {
    const client = createPool(postgresUrl)
    const { table } = await openStore(client)
    const rows = createTableName()
    await client.query(`CREATE TABLE ${rows} (id int)`)
    let [isOver, inserted] = [false, 0]
    async function insert(): Promise<void> {
      while (!isOver) {
        await client.query(`INSERT INTO ${rows} VALUES (1)`)
        inserted++
      }
    }
    const writers = Array.from({ length: 8 }, insert)
    for (let i = 0; i < 5; i++) await Promise.all(createTransactionCalls(client, table).map((call) => call()))
    isOver = true
    await Promise.all(writers)
    const { count } = (await client.query(`SELECT count(*)::int AS count FROM ${rows}`)).rows[0]
    assert.equal(count, inserted)
  })
  test('needs a client that lends connections', async () => {
    const { table, list } = await openStore()
    const { client, statements } = createRecordingClient()
    for (const call of createTransactionCalls(client, table))
      await assert.rejects(call, {
        name: 'TypeError',
        message: /^\w+ requires .*: pass a Pool or a Client of pg/,
      })
    assert.deepEqual(statements, [])
    assert.deepEqual(await list({ limit: 1 }), [])
  })

  test('borrows a connection from a wrapped pool', async () => {
    const { table } = await openStore()
    const { client, statements } = createRecordingClient({ connect: () => getPool().connect() })
    for (const call of createTransactionCalls(client, table)) await call()
    assert.deepEqual(statements, [])
  })

  test('needs a connect() that returns a connection', async () => {
    const { table } = await openStore()
    const { client, statements } = createRecordingClient({ async connect() {} })
    for (const call of createTransactionCalls(client, table))
      await assert.rejects(call, { name: 'TypeError' })
    assert.deepEqual(statements, [])
  })

  for (const [kind, wrap] of Object.entries({
    'a Client of pg': (client: pg.Client): PostgresClient => client,
    'a client with reserve()': (client: pg.Client): PostgresClient => ({
      query: (text, values) => client.query(text, values),
      reserve: async () => ({ query: (text, values) => client.query(text, values) }),
    }),
  }))
    test(`makes other calls wait on ${kind}`, async () => {
      const store = await openStore(wrap(await connect()))
      const creations: Promise<Pet>[] = []
      async function* pets() {
        yield rex
        creations.push(store.create(rex))
        await setTimeout(100)
        throw new RangeError('no more')
      }
      await assert.rejects(store.importPets(pets()), RangeError)
      const created = await Promise.all(creations)
      assert.deepEqual(await store.list({ limit: 10 }), created)
    })

  test('rejects a nested transaction on a single connection', async () => {
    const store = await openStore(await connect())
    await store.create(rex)
    await assert.rejects(store.importPets(store.exportPets()), StoreUnavailableError)
    assert.equal(await store.importPets([rex]), 1)
  })

  test('fails if its connection is lost', async () => {
    const client = createPool(postgresUrl)
    const { table } = await openStore(client)
    async function* pets() {
      yield rex
      const kill = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1`
      await getPool().query(kill, [name])
      yield rex
    }
    const name = `pets-test-${process.pid}-transaction`
    const named = createPool(postgresUrl, { application_name: name })
    await assert.rejects(
      createPostgresStore({ client: named, table }).importPets(pets()),
      StoreUnavailableError,
    )
    assert.equal(await createPostgresStore({ client: named, table }).importPets([rex]), 1)
  })
})

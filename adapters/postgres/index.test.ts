import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { StoreUnavailable } from '../../core/index.ts'
import { poolFor, postgresUrl } from '../contracts/testing/postgres.ts'
import { createTcpProxy } from '../contracts/testing/tcp-proxy.ts'
import { shelterKey as shelter } from '../testing/key-records-suite.ts'
import {
  createPostgresKeyStore,
  createPostgresStore,
  migrate,
  type PostgresClient,
  type PostgresStore,
} from './index.ts'
import { newTable, openStore, pool, rex, test } from './testing/tables.ts'

describe('the PostgreSQL store', () => {
  test('says what to do if the table does not exist', async () => {
    const options = { client: pool(), table: newTable() }
    await assert.rejects(createPostgresStore(options).create(rex), /migrate the database/)
    await assert.rejects(async () => createPostgresKeyStore(options).find('a-key'), /migrate the database/)
  })

  for (const elsewhere of [/^BEGIN/, /INSERT|FETCH/, /^COMMIT|FETCH/])
    test(`rejects a transaction that runs ${elsewhere} on another connection`, async () => {
      const [one, another] = [poolFor(postgresUrl, { max: 1 }), poolFor(postgresUrl, { max: 1 })]
      const { table, list } = await openStore()
      const client: PostgresClient = {
        query: async (text, values) => (elsewhere.test(text) ? another : one).query(text, values),
      }
      const store = createPostgresStore({ client, table })
      for (const call of [
        () => store.importPets([rex]),
        () => store.exportPets()[Symbol.asyncIterator]().next(),
        () => createPostgresKeyStore({ client, table }).update({ id: 'shelter' }, () => [shelter]),
      ])
        await assert.rejects(call, {
          name: 'TypeError',
          message: /one connection.*: pass a pg Client, not a Pool/,
        })
      await another.query('ROLLBACK')
      assert.deepEqual(await createPostgresKeyStore({ client: one, table }).list(), [])
      assert.deepEqual(await list({ limit: 1 }), [])
    })

  type Plan = readonly [query: string, index: string, run: (store: PostgresStore) => Promise<unknown>]
  const plans: readonly Plan[] = [
    ['get', 'pkey', ({ get }) => get(99_990n)],
    ['a page', 'pkey', ({ list }) => list({ limit: 20 })],
    ['a page deep in the table', 'pkey', ({ list }) => list({ limit: 101, after: 90_000n })],
    ['a page of a common status', 'by_status', ({ list }) => list({ limit: 20, status: 'available' })],
    [
      'a page of a rare status deep in the table',
      'by_status',
      ({ list }) => list({ limit: 101, status: 'sold', after: 50_000n }),
    ],
  ]

  test('runs each query of a large table on an index, and sorts nothing', async () => {
    const { table } = await openStore()
    await pool().query(
      `INSERT INTO ${table} (name, category_id, status)
     SELECT 'Rex', 1, CASE WHEN i % 1000 = 0 THEN 'sold' ELSE 'available' END FROM generate_series(1, 100000) AS i`,
    )
    await pool().query(`ANALYZE ${table}`)
    for (const [query, index, run] of plans) {
      let plan = ''
      const client: PostgresClient = {
        async query(text, values) {
          plan = JSON.stringify((await pool().query(`EXPLAIN ${text}`, values)).rows)
          return { rows: [] }
        },
      }
      await run(createPostgresStore({ client, table }))
      assert.match(plan, new RegExp(`Index Scan using ${table}_${index}`), query)
      assert.doesNotMatch(plan, /Seq Scan|Sort|Filter/, query)
    }
  })

  test('is unavailable while PostgreSQL is gone, and leaks no connection', async () => {
    const url = new URL(postgresUrl)
    const proxy = await createTcpProxy(Number(url.port))
    url.port = String(proxy.port)
    const name = `pets-test-${process.pid}-proxied`
    const client = poolFor(url.href, {
      application_name: name,
      connectionTimeoutMillis: 500,
      query_timeout: 500,
    })
    const store = await openStore(client)
    const { id } = await store.create(rex)
    for (const isCut of [true, false]) {
      proxy.silent = true
      if (isCut) await proxy.cut()
      for (const result of await Promise.allSettled([
        store.get(id),
        store.list({ limit: 1 }),
        store.create(rex),
        createPostgresKeyStore({ client, table: store.table }).find('a-key'),
        migrate(client, { table: store.table }),
      ]))
        assert.ok(result.status === 'rejected' && result.reason instanceof StoreUnavailable)
      await proxy.recover()
      assert.deepEqual(await store.get(id), { ...rex, id })
    }
    await Promise.all(Array.from({ length: 20 }, () => store.get(id)))
    const { rows } = await pool().query('SELECT 1 FROM pg_stat_activity WHERE application_name = $1', [name])
    assert.ok(rows.length <= 4, `${rows.length} connections`)
  })

  test('rejects one creation without the others of its statement', async () => {
    const store = await openStore()
    await pool().query(`ALTER TABLE ${store.table} ADD CHECK (name <> 'Cerberus')`)
    const results = await Promise.allSettled(
      ['Rex', 'Cerberus', 'Mia'].map((name) => store.create({ ...rex, name })),
    )
    assert.deepEqual(
      results.map((result) => (result.status === 'fulfilled' ? result.value.name : result.reason.code)),
      ['Rex', '23514', 'Mia'],
    )
    const stored = await store.list({ limit: 10 })
    assert.deepEqual(stored.map(({ name }) => name).sort(), ['Mia', 'Rex'])
  })

  test('sends one statement for all equal calls of one turn', async () => {
    const store = await openStore()
    const { id } = await store.create(rex)
    let statements = 0
    const counting = createPostgresStore({
      client: {
        query(text, values) {
          statements++
          return pool().query(text, values)
        },
      },
      table: store.table,
    })
    const calls = () => [
      counting.page({ limit: 5 }),
      counting.page({ limit: 5, status: 'pending' }),
      counting.get(id),
      counting.get(id + 1n),
      counting.create(rex),
    ]
    const results = await Promise.all([...calls(), ...calls()])
    assert.equal(statements, 4)
    assert.deepEqual(results[1], { json: '[]', bytes: 2, next: undefined })
    assert.deepEqual(results[2], { ...rex, id })
    statements = 0
    await Promise.all(Array.from({ length: 501 }, () => counting.create(rex)))
    assert.equal(statements, 2, 'a statement has at most 500')
  })
})

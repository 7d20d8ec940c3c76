import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { StoreUnavailableError } from '../../core/index.ts'
import { createPool, postgresUrl } from '../contracts/testing/postgres.ts'
import { createTcpProxy } from '../contracts/testing/tcp-proxy.ts'
import {
  createPostgresKeyStore,
  createPostgresStore,
  migrate,
  type PostgresClient,
  type PostgresStore,
} from './index.ts'
import { createTableName, getPool, openStore, rex, test } from './testing/tables.ts'

describe('the PostgreSQL store', () => {
  test('reports missing tables', async () => {
    const options = { client: getPool(), table: createTableName() }
    await assert.rejects(createPostgresStore(options).create(rex), /migrate the database/)
    await assert.rejects(async () => createPostgresKeyStore(options).find('a-key'), /migrate the database/)
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

  test('uses an index for every query', async () => {
    const { table } = await openStore()
    await getPool().query(
      `INSERT INTO ${table} (name, category_id, status)
     SELECT 'Rex', 1, CASE WHEN i % 1000 = 0 THEN 'sold' ELSE 'available' END FROM generate_series(1, 100000) AS i`,
    )
    await getPool().query(`ANALYZE ${table}`)
    for (const [query, index, run] of plans) {
      let plan = ''
      const client: PostgresClient = {
        async query(text, values) {
          plan = JSON.stringify((await getPool().query(`EXPLAIN ${text}`, values)).rows)
          return { rows: [] }
        },
      }
      await run(createPostgresStore({ client, table }))
      assert.match(plan, new RegExp(`Index Scan using ${table}_${index}`), query)
      assert.doesNotMatch(plan, /Seq Scan|Sort|Filter/, query)
    }
  })

  test('is unavailable while the network is down, and recovers', async () => {
    const url = new URL(postgresUrl)
    const proxy = await createTcpProxy(Number(url.port))
    url.port = String(proxy.port)
    const name = `pets-test-${process.pid}-proxied`
    const client = createPool(url.href, {
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
        assert.ok(result.status === 'rejected' && result.reason instanceof StoreUnavailableError)
      await proxy.recover()
      assert.deepEqual(await store.get(id), { ...rex, id })
    }
    await Promise.all(Array.from({ length: 20 }, () => store.get(id)))
    const { rows } = await getPool().query('SELECT 1 FROM pg_stat_activity WHERE application_name = $1', [
      name,
    ])
    assert.ok(rows.length <= 4, `${rows.length} connections`)
  })

  test('creates animals that share a statement with an invalid one', async () => {
    const store = await openStore()
    await getPool().query(`ALTER TABLE ${store.table} ADD CHECK (name <> 'Cerberus')`)
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

  test('shares statements between calls in the same turn', async () => {
    const store = await openStore()
    const { id } = await store.create(rex)
    let statements = 0
    const counting = createPostgresStore({
      client: {
        query(text, values) {
          statements++
          return getPool().query(text, values)
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
    assert.equal(statements, 2, 'a statement creates at most 500 animals')
  })
})

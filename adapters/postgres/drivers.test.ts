import assert from 'node:assert/strict'
import { after } from 'node:test'
import postgres from 'postgres'
import { petStoreContract } from '../contracts/index.ts'
import { testWith } from '../contracts/testing/part.ts'
import { connectPostgres, poolFor, postgresUrl, temporaryTables } from '../contracts/testing/postgres.ts'
import { createPostgresStore, migrate, type PostgresClient, type PostgresStore } from '../postgres.ts'
import { keySuites } from './testing/key-suites.ts'

const test = testWith(await connectPostgres())
const newTable = temporaryTables()

/** How a client of each driver is made, with connections for statements or with one for transactions. */
const drivers: Readonly<Record<string, (max: number) => PostgresClient>> = {
  pg: (max) => poolFor(postgresUrl, { max }),
  postgres(max) {
    const sql = postgres(postgresUrl, { max, onnotice() {} })
    after(() => sql.end())
    return { query: (text, values) => sql.unsafe(text, values) }
  },
}

for (const [name, connect] of Object.entries(drivers)) {
  const [client, connection, another] = [connect(4), connect(1), connect(1)]
  const testOfDriver = (title: string, body: () => Promise<void>) => test(`with ${name}: ${title}`, body)

  const openStore = async (table = newTable()): Promise<PostgresStore & { readonly table: string }> => {
    await migrate(client, { table })
    return { ...createPostgresStore({ client, table }), table }
  }
  petStoreContract({
    test: testOfDriver,
    createStore: () => openStore(),
    reopenStore: ({ table }) => openStore(table),
    capabilities: { page: true, createOnce: true, update: true, remove: true },
  })
  keySuites(
    testOfDriver,
    newTable,
    () => connection,
    () => another,
  )

  testOfDriver('imports and exports animals', async () => {
    const { table } = await openStore()
    const store = createPostgresStore({ client: connection, table })
    const pets = [
      { id: 7n, name: 'Rex', categoryId: 1n, status: 'sold' },
      { id: 8n, name: 'Mia', categoryId: -1n },
    ] as const
    assert.equal(await store.importPets(pets), 2)
    const exported = []
    for await (const pet of store.exportPets()) exported.push(pet)
    assert.deepEqual(exported, pets)
  })
}

test('every parameter of a statement is text, which each driver serializes as it is', async () => {
  const client = poolFor(postgresUrl, { max: 1 })
  const table = newTable()
  await migrate(client, { table })
  const store = createPostgresStore({ client, table })
  const key = { token: 't', fingerprint: 'f', now: 1, expiresAt: 2 }
  const pet = { name: 'Rex', categoryId: 1n, status: 'sold' } as const
  await Promise.all([store.create(pet), store.create(pet)])
  await store.create(pet)
  await store.createOnce(pet, key)
  await store.createOnce(pet, key)
  await store.update(1n, { name: 'Max' })
  await store.remove(1n)
  await store.get(1n)
  for (const query of [{ limit: 1 }, { limit: 1, status: 'sold' }] as const) {
    await store.list(query)
    await store.page(query)
  }
  const { rows } = await client.query(
    'SELECT count(*)::int, array_agg(DISTINCT type::text) AS types FROM pg_prepared_statements, unnest(parameter_types) AS type',
  )
  assert.deepEqual(rows[0].types, ['text'])
  assert.ok(rows[0].count > 20)
})

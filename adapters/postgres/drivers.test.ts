import assert from 'node:assert/strict'
import { after } from 'node:test'
import type { PoolConfig } from 'pg'
import postgres from 'postgres'
import { createPool, postgresUrl } from '../contracts/testing/postgres.ts'
import type { PostgresClient } from './index.ts'
import { registerStoreSuites } from './testing/suites.ts'
import { createTableName, openStore, rex, test } from './testing/tables.ts'

/** Opens clients of each driver. */
const drivers: Readonly<Record<string, (max: number) => PostgresClient>> = {
  pg: (max) => createPool(postgresUrl, { max }),
  'pg with binary results'(max) {
    const config: PoolConfig & { binary: true } = { max, binary: true } // the types of pg lack this option
    return createPool(postgresUrl, config)
  },
  postgres(max) {
    const sql = postgres(postgresUrl, { max, onnotice() {}, connection: { synchronous_commit: 'off' } })
    after(() => sql.end())
    return { query: (text, values) => sql.unsafe(text, values), reserve: () => sql.reserve() }
  },
}

for (const [name, connect] of Object.entries(drivers)) {
  const [pool, connection, another] = [connect(4), connect(1), connect(1)]
  const testDriver = (title: string, body: () => Promise<void>) => test(`${name}: ${title}`, body)

  registerStoreSuites(testDriver, createTableName, {
    pool: () => pool,
    connection: () => connection,
    another: () => another,
  })

  testDriver('imports and exports animals', async () => {
    const store = await openStore(connection)
    const pets = [
      { id: 7n, ...rex },
      { id: 8n, name: 'Mia', categoryId: -1n },
    ]
    assert.equal(await store.importPets(pets), 2)
    const exported = []
    for await (const pet of store.exportPets()) exported.push(pet)
    assert.deepEqual(exported, pets)
  })
}

import assert from 'node:assert/strict'
import { after } from 'node:test'
import type { PoolConfig } from 'pg'
import postgres from 'postgres'
import { poolFor, postgresUrl } from '../contracts/testing/postgres.ts'
import type { PostgresClient } from './index.ts'
import { storeSuites } from './testing/suites.ts'
import { newTable, openStore, rex, test } from './testing/tables.ts'

/** Creates a client of each driver, with at most `max` connections. */
const drivers: Readonly<Record<string, (max: number) => PostgresClient>> = {
  pg: (max) => poolFor(postgresUrl, { max }),
  'pg with binary results'(max) {
    const config: PoolConfig & { binary: true } = { max, binary: true } // its types lack this option
    return poolFor(postgresUrl, config)
  },
  postgres(max) {
    const sql = postgres(postgresUrl, { max, onnotice() {} })
    after(() => sql.end())
    return { query: (text, values) => sql.unsafe(text, values) }
  },
}

for (const [name, connect] of Object.entries(drivers)) {
  const [pool, connection, another] = [connect(4), connect(1), connect(1)]
  const testOfDriver = (title: string, body: () => Promise<void>) => test(`with ${name}: ${title}`, body)

  storeSuites(testOfDriver, newTable, {
    pool: () => pool,
    connection: () => connection,
    another: () => another,
  })

  testOfDriver('imports and exports animals', async () => {
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

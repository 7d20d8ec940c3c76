// The contracts of the parts that store data: in a SQLite file, and in PostgreSQL and Redis on this machine.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { petStoreContract, rateLimiterContract } from '../../../adapters/contracts/index.ts'
import { createPostgresStore, migrate } from '../../../adapters/postgres.ts'
import { createRedisLimiter, nodeRedisClient } from '../../../adapters/redis.ts'
import { createSqliteStore } from '../../../adapters/sqlite.ts'
import { openSqlite } from '../platform.mjs'

const databaseUrl = process.env.PET_ADOPTION_TEST_DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/test'
const redisUrl = process.env.PET_ADOPTION_TEST_REDIS_URL ?? 'redis://127.0.0.1:6379'
let run
const scale = 500

let count = 0
const newName = () => {
  run ??= `runtimes_${crypto.randomUUID().replaceAll('-', '')}`
  return `${run}_${++count}`
}

export const partSuites = {
  async 'store in SQLite'({ it }) {
    const open = await openSqlite()
    const folder = mkdtempSync(join(tmpdir(), 'pets-'))
    const openStore = (file) => {
      const database = open(file)
      return { ...createSqliteStore({ database }), file, close: () => database.close() }
    }
    petStoreContract({
      test: it,
      scale,
      createStore: () => openStore(join(folder, newName())),
      reopenStore: ({ file }) => openStore(file),
      closeStore: (store) => store.close(),
    })
    return () => rmSync(folder, { recursive: true })
  },

  async 'store in PostgreSQL'({ it }) {
    const { default: pg } = await import('pg')
    const pool = new pg.Pool({ connectionString: databaseUrl, max: 4, connectionTimeoutMillis: 2000 })
    await pool.query('SELECT 1')
    const openStore = async (table) => {
      await migrate(pool, { table })
      return { ...createPostgresStore({ client: pool, table }), table }
    }
    petStoreContract({
      test: it,
      scale,
      createStore: () => openStore(newName()),
      reopenStore: ({ table }) => openStore(table),
      closeStore: ({ table }) => pool.query(`DROP TABLE IF EXISTS ${table}`),
    })
    return () => pool.end()
  },

  async 'limiter in Redis'({ it }) {
    const { createClient } = await import('redis')
    const client = createClient({ url: redisUrl, socket: { connectTimeout: 2000, reconnectStrategy: false } })
    client.on('error', () => {}) // the promise of each command that fails rejects
    await client.connect()
    const options = { client: nodeRedisClient(client), timeoutMs: 5000 }
    rateLimiterContract({
      test: it,
      createLimiter: (setup) => createRedisLimiter({ ...options, ...setup, prefix: `${newName()}:` }),
    })
    return async () => {
      for (const key of await client.keys(`${run}_*`)) await client.del(key)
      client.destroy()
    }
  },
}

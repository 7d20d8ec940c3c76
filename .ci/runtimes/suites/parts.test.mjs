// The contracts of the parts that store data: in a SQLite file, and in PostgreSQL and Redis on this machine.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { keyStoreContract, petStoreContract, rateLimiterContract } from '../../../adapters/contracts/index.ts'
import { createPostgresKeyStore, createPostgresStore, migrate } from '../../../adapters/postgres/index.ts'
import { createRedisLimiter, redisClient } from '../../../adapters/redis/index.ts'
import { createSqliteKeyStore, createSqliteStore } from '../../../adapters/sqlite/index.ts'
import { name, openSqlite } from '../platform.mjs'
import { describePart, it } from './runner.mjs'

const databaseUrl = process.env.PET_ADOPTION_TEST_DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/test'
const redisUrl = process.env.PET_ADOPTION_TEST_REDIS_URL ?? 'redis://127.0.0.1:6379'

let run
let count = 0
const newName = () => {
  run ??= `runtimes_${crypto.randomUUID().replaceAll('-', '')}`
  return `${run}_${++count}`
}

/** Functions for the contract that change the keys of a database. */
const keyChanges = {
  addKey: (keys, key) => keys.update({ id: key.id }, () => [key]),
  revokeKey: (keys, sha256) =>
    keys.update({ sha256 }, (found) => found.map((key) => ({ ...key, revokedAt: '2026-11-20' }))),
}

/** Declares the contracts for a client of PostgreSQL, and for one with a single connection. */
function declarePostgres(client, connection) {
  const drop = ({ table }) =>
    client.query(`DROP TABLE IF EXISTS ${table}, ${table}_api_keys, ${table}_creations`)
  const openStore = async (table) => {
    await migrate(client, { table })
    return { ...createPostgresStore({ client, table }), table }
  }
  petStoreContract({
    test: it,
    create: () => openStore(newName()),
    reopen: ({ table }) => openStore(table),
    clock: false,
    close: drop,
  })
  keyStoreContract({
    ...keyChanges,
    test: it,
    async create({ clock }) {
      const table = newName()
      await migrate(client, { table })
      return { ...createPostgresKeyStore({ client: connection, table, clock }), table }
    },
    close: drop,
  })
}

/** Opens a pool and one with a single connection. Rejects if the database is absent. */
async function openPools(open, toClient) {
  const pools = [open(4), open(1)]
  const clients = pools.map(toClient)
  await clients[0].query('SELECT 1')
  return {
    declare: () => declarePostgres(...clients),
    close: () => Promise.all(pools.map((pool) => pool.end())),
  }
}

const openSqliteFiles = async () => {
  const open = await openSqlite()
  const folder = mkdtempSync(join(tmpdir(), 'pets-'))
  const openStore = (file) => {
    const database = open(file)
    return { ...createSqliteStore({ database }), file, close: () => database.close() }
  }
  return {
    declare() {
      petStoreContract({
        test: it,
        create: () => openStore(join(folder, newName())),
        reopen: ({ file }) => openStore(file),
        close: (store) => store.close(),
      })
      keyStoreContract({
        ...keyChanges,
        test: it,
        create({ clock }) {
          const database = open(join(folder, newName()))
          return { ...createSqliteKeyStore({ database, clock }), close: () => database.close() }
        },
        close: (keys) => keys.close(),
      })
    },
    close: () => rmSync(folder, { recursive: true }),
  }
}
const noSqlite = name === 'node' && !process.versions.sqlite && 'this Node has no node:sqlite'
await describePart('store in SQLite', openSqliteFiles, noSqlite)

await describePart('store in PostgreSQL', async () => {
  const { default: pg } = await import('pg')
  const open = (max) => new pg.Pool({ connectionString: databaseUrl, max, connectionTimeoutMillis: 2000 })
  return openPools(open, (pool) => pool)
})

await describePart('store in PostgreSQL, by the package postgres', async () => {
  const { default: postgres } = await import('postgres')
  const open = (max) => postgres(databaseUrl, { max, connect_timeout: 2, onnotice() {} })
  return openPools(open, (sql) => ({ query: (text, values) => sql.unsafe(text, values) }))
})

await describePart('store in PGlite', async () => {
  const { PGlite } = await import('@electric-sql/pglite')
  const database = await PGlite.create()
  return { declare: () => declarePostgres(database, database), close: () => database.close() }
})

await describePart('limiter in Redis', async () => {
  const { createClient } = await import('redis')
  const client = createClient({ url: redisUrl, socket: { connectTimeout: 2000, reconnectStrategy: false } })
  client.on('error', () => {}) // the promise of each command that fails rejects
  await client.connect()
  return {
    declare: () => declareLimiter(redisClient(client)),
    async close() {
      for (const key of await client.keys(`${run}_*`)) await client.del(key)
      client.destroy()
    },
  }
})

if (globalThis.Bun) {
  const { RedisClient, SQL } = await import('bun')

  await describePart('store in PostgreSQL, by Bun.SQL', () =>
    openPools(
      (max) => new SQL(databaseUrl, { max, connectionTimeout: 2 }),
      (sql) => ({ query: (text, values) => sql.unsafe(text, values) }),
    ),
  )

  await describePart('limiter in Redis, by Bun.RedisClient', async () => {
    const client = new RedisClient(redisUrl)
    await client.connect()
    return {
      declare: () => declareLimiter({ send: ([command, ...args]) => client.send(command, args) }),
      async close() {
        for (const key of await client.send('KEYS', [`${run}_*`])) await client.send('DEL', [key])
        client.close()
      },
    }
  })
}

function declareLimiter(client) {
  rateLimiterContract({
    test: it,
    create: (setup) => createRedisLimiter({ client, timeoutMs: 5000, ...setup, prefix: `${newName()}:` }),
  })
}

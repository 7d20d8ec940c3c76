// Runs the contracts with PGlite on Node, and with the drivers that Bun includes.
import { after, test } from 'node:test'
import { petStoreContract, rateLimiterContract } from '../../../adapters/contracts/index.ts'
import {
  connectPostgres,
  createTableNamer,
  postgresUrl,
} from '../../../adapters/contracts/testing/postgres.ts'
import { connectRedis, createPrefixNamer, redisUrl } from '../../../adapters/contracts/testing/redis.ts'
import { testWith } from '../../../adapters/contracts/testing/resource.ts'
import { createFileNamer } from '../../../adapters/contracts/testing/sqlite.ts'
import { registerStoreSuites } from '../../../adapters/postgres/testing/suites.ts'
import { createRedisLimiter } from '../../../adapters/redis/index.ts'
import { createSqliteStore } from '../../../adapters/sqlite/index.ts'

if (!globalThis.Bun && !globalThis.Deno) {
  const { PGlite } = await import('@electric-sql/pglite')

  const pglite = await PGlite.create()
  after(() => pglite.close())
  const client = { query: (text, values) => pglite.query(text, values), reserve: async () => pglite }
  let tables = 0
  registerStoreSuites(
    // PGlite has one connection.
    (name, body) => test(`PGlite: ${name}`, { skip: name.startsWith('changes of two connections') }, body),
    () => `pets_${++tables}`,
    { pool: () => client, connection: () => client, another: () => client },
  )
}

if (globalThis.Bun) {
  const { RedisClient, SQL } = await import('bun')
  const { Database } = await import('bun:sqlite')

  const [postgres, redis] = [testWith(await connectPostgres()), testWith(await connectRedis())]
  const connect = (max) => {
    const sql = new SQL(postgresUrl, { max })
    after(() => sql.close())
    return { query: (text, values) => sql.unsafe(text, values), reserve: () => sql.reserve() }
  }
  const [pool, connection, another] = [connect(4), connect(1), connect(1)]
  const clients = { pool: () => pool, connection: () => connection, another: () => another }
  registerStoreSuites((name, body) => postgres(`Bun.SQL: ${name}`, body), createTableNamer(), clients)

  const redisClient = new RedisClient(redisUrl)
  after(() => redisClient.close())
  const newPrefix = createPrefixNamer()
  rateLimiterContract({
    test: (name, body) => redis(`Bun.RedisClient: ${name}`, body),
    create: (setup) =>
      createRedisLimiter({
        client: { send: ([command, ...args]) => redisClient.send(command, args) },
        timeoutMs: 5000,
        prefix: newPrefix(),
        ...setup,
      }),
  })

  const newFile = createFileNamer()
  const openStore = (file = newFile()) => {
    const database = new Database(file)
    return { ...createSqliteStore({ database }), file, close: () => database.close() }
  }
  petStoreContract({
    test: (name, body) => test(`bun:sqlite: ${name}`, body),
    create: () => openStore(),
    reopen: ({ file }) => openStore(file),
    close: (store) => store.close(),
  })
}

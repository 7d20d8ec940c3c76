// The contracts of the parts with drivers that no test of the package has: PGlite, and on Bun its own.
import { after, test } from 'node:test'
import { PGlite } from '@electric-sql/pglite'
import { petStoreContract, rateLimiterContract } from '../../../adapters/contracts/index.ts'
import { testWith } from '../../../adapters/contracts/testing/part.ts'
import {
  connectPostgres,
  postgresUrl,
  temporaryTables,
} from '../../../adapters/contracts/testing/postgres.ts'
import { connectRedis, redisUrl, temporaryPrefixes } from '../../../adapters/contracts/testing/redis.ts'
import { temporaryFiles } from '../../../adapters/contracts/testing/sqlite.ts'
import { storeSuites } from '../../../adapters/postgres/testing/suites.ts'
import { createRedisLimiter } from '../../../adapters/redis/index.ts'
import { createSqliteStore } from '../../../adapters/sqlite/index.ts'

const pglite = await PGlite.create()
after(() => pglite.close())
let tables = 0
storeSuites(
  // It has one connection.
  (name, body) => test(`PGlite: ${name}`, { skip: name.startsWith('changes of two connections') }, body),
  () => `pets_${++tables}`,
  { pool: () => pglite, connection: () => pglite, another: () => pglite },
)

if (globalThis.Bun) {
  const { RedisClient, SQL } = await import('bun')
  const { Database } = await import('bun:sqlite')

  const [postgres, redis] = [testWith(await connectPostgres()), testWith(await connectRedis())]
  const connect = (max) => {
    const sql = new SQL(postgresUrl, { max })
    after(() => sql.close())
    return { query: (text, values) => sql.unsafe(text, values) }
  }
  const [pool, connection, another] = [connect(4), connect(1), connect(1)]
  const clients = { pool: () => pool, connection: () => connection, another: () => another }
  storeSuites((name, body) => postgres(`Bun.SQL: ${name}`, body), temporaryTables(), clients)

  const client = new RedisClient(redisUrl)
  after(() => client.close())
  const newPrefix = temporaryPrefixes()
  rateLimiterContract({
    test: (name, body) => redis(`Bun.RedisClient: ${name}`, body),
    create: (setup) =>
      createRedisLimiter({
        client: { send: ([command, ...args]) => client.send(command, args) },
        timeoutMs: 5000,
        prefix: newPrefix(),
        ...setup,
      }),
  })

  const newFile = temporaryFiles()
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

import { RedisClient as Redis, SQL } from 'bun'
import { createKeyStore, createPetService, sha256 } from 'pet-adoption-service'
import { createFetchHandler } from 'pet-adoption-service/fetch'
import { createPostgresStore, migrate, type PostgresClient } from 'pet-adoption-service/postgres'
import { createRedisLimiter, type RedisClient } from 'pet-adoption-service/redis'

const sql = new SQL({ url: process.env.DATABASE_URL, max: 10, connectionTimeout: 3 })
const database: PostgresClient = { query: (text, values) => sql.unsafe(text, values) }
await migrate(database)
const redis = new Redis(process.env.REDIS_URL ?? 'redis://127.0.0.1:6379', {
  enableOfflineQueue: false,
})
await redis.connect()
const client: RedisClient = { send: ([command = '', ...args]) => redis.send(command, args) }

const service = createPetService({
  keys: createKeyStore([{ id: 'shelter', sha256: sha256('my-first-long-api-key'), plan: 'pro' }]),
  store: createPostgresStore({ client: database }),
  limiter: createRedisLimiter({ client, onFault: console.error }),
  onError: console.error,
})
Bun.serve({ port: process.env.PORT ?? 8080, fetch: createFetchHandler(service) })

import { createKeyStore, createPetService, sha256 } from 'pet-adoption-service'
import { createPetServer } from 'pet-adoption-service/node'
import { createPostgresStore, migrate } from 'pet-adoption-service/postgres'
import { createRedisLimiter, redisClient } from 'pet-adoption-service/redis'
import pg from 'pg'
import { createClient } from 'redis'

const { DATABASE_URL: connectionString, REDIS_URL: url = 'redis://127.0.0.1:6379' } = process.env
const pool = new pg.Pool({ connectionString, connectionTimeoutMillis: 3000, query_timeout: 5000 })
pool.on('error', console.error) // an idle connection was lost: without a listener the process would end
await migrate(pool) // any number of processes can do so at the same time
const redis = createClient({ url, disableOfflineQueue: true })
redis.on('error', () => {}) // the client connects again by itself, and onFault reports the error
await redis.connect()

const service = createPetService({
  keys: createKeyStore([{ id: 'shelter', sha256: sha256('my-first-long-api-key'), plan: 'pro' }]),
  store: createPostgresStore({ client: pool }),
  limiter: createRedisLimiter({ client: redisClient(redis), onFault: console.error }),
  onError: console.error,
})
createPetServer(service).listen(process.env.PORT ?? 8080)

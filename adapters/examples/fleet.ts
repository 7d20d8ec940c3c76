import { createServer } from 'node:http'
import { createKeyStore, createPetService, sha256 } from 'pet-adoption-service'
import { createNodeHandler, hardenServer, serverOptions } from 'pet-adoption-service/node'
import { createPostgresStore, migrate } from 'pet-adoption-service/postgres'
import { createRedisLimiter, nodeRedisClient } from 'pet-adoption-service/redis'
import pg from 'pg'
import { createClient } from 'redis'

const pool = new pg.Pool({
  connectionString: process.env.DATABASE_URL,
  connectionTimeoutMillis: 3000,
  query_timeout: 5000,
})
pool.on('error', console.error) // an idle connection that is lost; it would end the process otherwise
await migrate(pool) // any number of processes may

const redis = createClient({
  url: process.env.REDIS_URL ?? 'redis://127.0.0.1:6379',
  disableOfflineQueue: true,
})
redis.on('error', console.error) // it connects again by itself
await redis.connect()

const service = createPetService({
  keys: createKeyStore([{ id: 'shelter', sha256: sha256('my-first-long-api-key'), plan: 'pro' }]),
  store: createPostgresStore({ client: pool }),
  limiter: createRedisLimiter({
    client: nodeRedisClient(redis),
    prefix: process.env.REDIS_PREFIX ?? 'pets:',
    onFault: (cause) => console.error('Redis failed, each process counts alone:', cause),
    onRecover: () => console.error('Redis works again'),
  }),
  onError: console.error,
})
const server = createServer(serverOptions, createNodeHandler(service))
hardenServer(server, service)
server.listen(process.env.PORT ?? 8080)

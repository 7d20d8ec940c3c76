import { createKeyStore, createPetService, sha256 } from 'pet-adoption-service'
import { createPetServer } from 'pet-adoption-service/node'
import { createRedisLimiter, redisClient } from 'pet-adoption-service/redis'
import { createClient } from 'redis'

const log = (event: string, details: unknown) => console.error(JSON.stringify({ event, details }))
const { REDIS_URL: url = 'redis://127.0.0.1:6379' } = process.env
const redis = createClient({ url, disableOfflineQueue: true })
redis.on('error', () => {}) // the limiter reports what matters
void redis.connect() // retries until Redis is there

const service = createPetService({
  keys: createKeyStore([{ id: 'shelter', sha256: sha256('my-first-long-api-key'), plan: 'pro' }]),
  limiter: createRedisLimiter({
    client: redisClient(redis),
    onFault: (cause) => log('redis-away', String(cause)),
    onRecover: () => log('redis-back', null),
  }),
  onResponse: ({ operation, status, durationMs }) => log('response', { operation, status, durationMs }),
  onError: (cause) => log('error', String(cause)),
})
createPetServer(service).listen(process.env.PORT ?? 8080)

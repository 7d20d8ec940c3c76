import * as ioredis from 'ioredis'
import { createKeyStore, createPetService, sha256 } from 'pet-adoption-service'
import { createPetServer } from 'pet-adoption-service/node'
import { openRedis } from 'pet-adoption-service/redis'

const log = (event: string, details: unknown) => console.error(JSON.stringify({ event, details }))
const { limiter } = await openRedis({
  driver: ioredis,
  url: process.env.REDIS_URL ?? 'redis://127.0.0.1:6379',
  onEvent: ({ event, message, cause }) => log(event, cause === undefined ? message : `${message}: ${cause}`),
})

const service = createPetService({
  keys: createKeyStore([{ id: 'shelter', sha256: sha256('my-first-long-api-key'), plan: 'pro' }]),
  limiter,
  onResponse: ({ operation, status, durationMs }) => log('response', { operation, status, durationMs }),
  onError: (cause) => log('error', String(cause)),
})
createPetServer(service).listen(process.env.PORT ?? 8080)

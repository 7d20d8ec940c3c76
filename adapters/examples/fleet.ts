import * as ioredis from 'ioredis'
import { createPetService } from 'pet-adoption-service'
import { createPetServer } from 'pet-adoption-service/node'
import { openPostgres } from 'pet-adoption-service/postgres'
import { openRedis } from 'pet-adoption-service/redis'
import pg from 'pg'

const { DATABASE_URL = '', REDIS_URL = '', PORT = 8080 } = process.env
const { store, keys } = await openPostgres({ driver: pg, url: DATABASE_URL, onEvent: console.warn })
const { limiter } = await openRedis({ driver: ioredis, url: REDIS_URL, onEvent: console.warn })
createPetServer(createPetService({ store, keys, limiter })).listen(PORT)

import { createPetService } from 'pet-adoption-service'
import { createPetServer } from 'pet-adoption-service/node'
import pg from 'pg'
import { createDatabaseKeys } from './keys.ts'
import { schema } from './schema.ts'

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, connectionTimeoutMillis: 2000 })
pool.on('error', () => {}) // an idle connection that is lost is replaced by the next query
await pool.query(schema)

const service = createPetService({ keys: createDatabaseKeys(pool), onError: console.error })
createPetServer(service).listen(process.env.PORT ?? 8080)

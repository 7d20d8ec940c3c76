import { createPetService } from 'pet-adoption-service'
import { createPetServer } from 'pet-adoption-service/node'
import { createPostgresKeyStore, createPostgresStore, migrate } from 'pet-adoption-service/postgres'
import pg from 'pg'

const { DATABASE_URL: connectionString, PORT = 8080 } = process.env
const pool = new pg.Pool({ connectionString, connectionTimeoutMillis: 3000, query_timeout: 5000 })
pool.on('error', console.error) // without a listener, a lost idle connection would stop the process
await migrate(pool)

const service = createPetService({
  keys: createPostgresKeyStore({ client: pool }),
  store: createPostgresStore({ client: pool }),
  onError: console.error,
})
createPetServer(service).listen(PORT)

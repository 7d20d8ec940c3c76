import { DatabaseSync } from 'node:sqlite'
import { createKeyStore, createPetService, sha256 } from 'pet-adoption-service'
import { createPetServer } from 'pet-adoption-service/node'
import { createSqliteStore } from 'pet-adoption-service/sqlite'

const database = new DatabaseSync(process.env.FILE ?? 'animals.sqlite')
const service = createPetService({
  keys: createKeyStore([{ id: 'shelter', sha256: sha256('my-first-long-api-key'), plan: 'pro' }]),
  store: createSqliteStore({ database }),
})
createPetServer(service).listen(process.env.PORT ?? 8080)

import { createKeyStore, createPetService, sha256 } from 'pet-adoption-service'
import { createPetServer } from 'pet-adoption-service/node'
import { openSqlite } from 'pet-adoption-service/sqlite'

const { store } = await openSqlite({ file: process.env.FILE ?? 'animals.sqlite' })
const keys = createKeyStore([{ id: 'shelter', sha256: sha256('my-first-long-api-key'), plan: 'pro' }])
createPetServer(createPetService({ store, keys })).listen(process.env.PORT ?? 8080)

import { createKeyStore, createPetService, sha256 } from 'pet-adoption-service'
import { createPetServer } from 'pet-adoption-service/node'
import { createLineStore } from './line-store.ts'

const keys = createKeyStore([{ id: 'shelter', sha256: sha256('my-first-long-api-key'), plan: 'pro' }])
const service = createPetService({ keys, store: createLineStore(process.env.FILE ?? 'animals.ndjson') })
createPetServer(service).listen(process.env.PORT ?? 8080)

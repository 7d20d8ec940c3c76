import { createKeyStore, createPetService, sha256 } from 'pet-adoption-service'
import { createFetchHandler } from 'pet-adoption-service/fetch'

const keys = createKeyStore([{ id: 'shelter', sha256: sha256('my-first-long-api-key'), plan: 'pro' }])
const service = createPetService({ keys, trustProxy: 1 })
Deno.serve({ path: 'pets.sock' }, createFetchHandler(service))

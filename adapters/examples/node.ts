import { createKeyStore, createPetService, sha256 } from 'pet-adoption-service'
import { createPetServer } from 'pet-adoption-service/node'

const keys = createKeyStore([{ id: 'shelter', sha256: sha256('my-first-long-api-key'), plan: 'pro' }])
const service = createPetService({ keys, onError: console.error })
createPetServer(service).listen(8080)

import { createKeyStore, createPetService, sha256 } from 'pet-adoption-service'

const keys = createKeyStore([{ id: 'shelter', sha256: sha256('my-first-long-api-key'), plan: 'pro' }])
export const service = createPetService({ keys, onError: console.error })

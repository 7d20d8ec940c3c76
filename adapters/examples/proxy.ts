import { createKeyStore, createPetService, sha256 } from 'pet-adoption-service'
import { createPetServer } from 'pet-adoption-service/node'

const keys = createKeyStore([{ id: 'shelter', sha256: sha256('my-first-long-api-key'), plan: 'pro' }])
const service = createPetService({
  keys,
  trustProxy: ['10.0.0.0/8', '127.0.0.1/32'], // or a number of hops: 1 for one proxy in front
})
createPetServer(service).listen(process.env.PORT ?? 8080)

import { createKeyStore, createPetService, sha256 } from 'pet-adoption-service'
import { createPetServer } from 'pet-adoption-service/node'

const keys = createKeyStore([{ id: 'shelter', sha256: sha256('my-first-long-api-key'), plan: 'pro' }])
const service = createPetService({
  keys,
  plans: { pro: { minute: 600, day: 50_000 }, anonymous: { minute: 10, day: 100 } },
})
createPetServer(service).listen(process.env.PORT ?? 8080)

import { createKeyStore, createPetService, sha256 } from 'pet-adoption-service'
import { createPetServer } from 'pet-adoption-service/node'

const keys = createKeyStore([{ id: 'shelter', sha256: sha256('my-first-long-api-key'), plan: 'pro' }])
const service = createPetService({ keys })
const server = createPetServer(service)
server.listen(process.env.PORT ?? 8080)

process.once('SIGTERM', () => {
  server.close((error) => console.error(error ?? 'shutdown complete')) // close the store's pool here
})

import { createServer } from 'node:http'
import { fastify } from 'fastify'
import { createKeyStore, createPetService, sha256 } from 'pet-adoption-service'
import { createNodeHandler, hardenServer, serverOptions } from 'pet-adoption-service/node'

const keys = createKeyStore([{ id: 'shelter', sha256: sha256('my-first-long-api-key'), plan: 'pro' }])
const service = createPetService({ keys })

const app = fastify({
  serverFactory(fallback) {
    const server = createServer(serverOptions, createNodeHandler(service, { fallback }))
    hardenServer(server, service)
    return server
  },
})
app.get('/', async () => 'The shelter is open.')

await app.listen({ port: Number(process.env.PORT ?? 8080) })

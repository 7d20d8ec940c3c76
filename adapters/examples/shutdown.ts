import { createServer } from 'node:http'
import { createKeyStore, createPetService, sha256 } from 'pet-adoption-service'
import { createNodeHandler, hardenServer, serverOptions } from 'pet-adoption-service/node'

const keys = createKeyStore([{ id: 'shelter', sha256: sha256('my-first-long-api-key'), plan: 'pro' }])
const service = createPetService({ keys })
const server = createServer(serverOptions, createNodeHandler(service))
hardenServer(server, service)
server.listen(process.env.PORT ?? 8080)

process.once('SIGTERM', () => {
  server.keepAliveTimeout = 1_000 // a connection with a request in flight ends a second after its response
  server.close(() => console.error('every request has its response')) // close the store's pool here
  setTimeout(() => server.closeAllConnections(), 10_000).unref()
})

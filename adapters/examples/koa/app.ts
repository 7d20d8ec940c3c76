import { createServer } from 'node:http'
import Koa from 'koa'
import { createKeyStore, createPetService, sha256 } from 'pet-adoption-service'
import { createNodeHandler, hardenServer, serverOptions } from 'pet-adoption-service/node'

const keys = createKeyStore([{ id: 'shelter', sha256: sha256('my-first-long-api-key'), plan: 'pro' }])
const service = createPetService({ keys })

const app = new Koa()
app.use((ctx) => {
  ctx.body = 'The shelter is open.'
})

const server = createServer(serverOptions, createNodeHandler(service, { fallback: app.callback() }))
hardenServer(server, service)
server.listen(process.env.PORT ?? 8080)

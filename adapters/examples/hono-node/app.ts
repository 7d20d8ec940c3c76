import { createServer } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import { createKeyStore, createPetService, sha256 } from 'pet-adoption-service'
import { createNodeHandler, hardenServer, serverOptions } from 'pet-adoption-service/node'

const keys = createKeyStore([{ id: 'shelter', sha256: sha256('my-first-long-api-key'), plan: 'pro' }])
const service = createPetService({ keys })

const app = new Hono()
app.get('/', (c) => c.text('The shelter is open.'))

const fallback = getRequestListener(app.fetch)
const server = createServer(serverOptions, createNodeHandler(service, { fallback }))
hardenServer(server, service)
server.listen(process.env.PORT ?? 8080)

import { createServer } from 'node:http'
import express from 'express'
import { createKeyStore, createPetService, sha256 } from 'pet-adoption-service'
import {
  createNodeHandler,
  hardenServer,
  serverOptions,
  toServiceRequest,
  writeResponse,
} from 'pet-adoption-service/node'

const keys = createKeyStore([{ id: 'shelter', sha256: sha256('my-first-long-api-key'), plan: 'pro' }])
const service = createPetService({ keys })
const app = express()
app.all('/v1/store/orders', async (req, res) => {
  const access = await service.authorize(toServiceRequest(req, res))
  if (!access.authorized) return writeResponse(req, res, access.response)
  const headers = [...access.headers, 'Content-Type', 'application/json']
  writeResponse(req, res, { status: 200, headers, body: JSON.stringify([{ id: 1, by: access.caller.id }]) })
})
app.use(createNodeHandler(service)) // behind the routes below its base path

const server = createServer(serverOptions, app)
hardenServer(server, service)
server.listen(process.env.PORT ?? 8080)

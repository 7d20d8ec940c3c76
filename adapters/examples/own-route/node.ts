import { createServer } from 'node:http'
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
const pets = createNodeHandler(service)

const server = createServer(serverOptions, async (req, res) => {
  if (req.url !== '/v1/store/orders') return pets(req, res)
  const access = await service.authenticate(toServiceRequest(req, res))
  if (!access.authenticated) return writeResponse(req, res, access.response)
  const rawHeaders = [...access.rawHeaders, 'Content-Type', 'application/json']
  const body = JSON.stringify([{ id: 1, by: access.caller.id }])
  writeResponse(req, res, { status: 200, rawHeaders, body })
})
hardenServer(server, service)
server.listen(process.env.PORT ?? 8080)

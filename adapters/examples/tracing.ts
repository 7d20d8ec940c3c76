import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import { createKeyStore, createPetService, sha256 } from 'pet-adoption-service'
import { createNodeHandler, hardenServer, serverOptions } from 'pet-adoption-service/node'

const traceparent = /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})[\da-f]{16}-[\da-f]{2}(?:-|$)/
const traceIds = new AsyncLocalStorage<string>()
const newTraceId = () => randomBytes(16).toString('hex')

const service = createPetService({
  keys: createKeyStore([{ id: 'shelter', sha256: sha256('my-first-long-api-key'), plan: 'pro' }]),
  requestId: () => traceIds.getStore() ?? newTraceId(),
  onResponse: ({ requestId: traceId, operation, status }) =>
    console.error(JSON.stringify({ traceId, operation, status })),
})
const pets = createNodeHandler(service)
const server = createServer(serverOptions, (req, res) => {
  const [, traceId = newTraceId()] = traceparent.exec(String(req.headers.traceparent)) ?? []
  traceIds.run(traceId, pets, req, res)
})
hardenServer(server, service)
server.listen(process.env.PORT ?? 8080)

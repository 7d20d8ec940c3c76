import { randomBytes } from 'node:crypto'
import { createKeyStore, createPetService, sha256 } from 'pet-adoption-service'
import { createPetServer } from 'pet-adoption-service/node'

const traceparent = /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})[\da-f]{16}-[\da-f]{2}(?:-|$)/

const service = createPetService({
  keys: createKeyStore([{ id: 'shelter', sha256: sha256('my-first-long-api-key'), plan: 'pro' }]),
  requestId(request) {
    const [, traceId] = traceparent.exec(request.header('traceparent') ?? '') ?? []
    return traceId ?? randomBytes(16).toString('hex')
  },
  onResponse: ({ requestId: traceId, operation, status }) =>
    console.error(JSON.stringify({ traceId, operation, status })),
})
createPetServer(service).listen(process.env.PORT ?? 8080)

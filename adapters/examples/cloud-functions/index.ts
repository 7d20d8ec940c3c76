import { http } from '@google-cloud/functions-framework'
import { createKeyStore, createPetService, sha256 } from 'pet-adoption-service'
import { createNodeHandler } from 'pet-adoption-service/node'

const keys = createKeyStore([{ id: 'shelter', sha256: sha256('my-first-long-api-key'), plan: 'pro' }])
// Each instance has animals and limits in its own memory: in production, pass a `store` and a `limiter`.
const service = createPetService({ keys, trustProxy: 1 }) // Google's front end is the one proxy
http('pets', createNodeHandler(service, { fallback: (_req, res) => res.end('The shelter is open.') }))

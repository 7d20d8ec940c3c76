import { createKeyStore, createPetService, sha256 } from 'pet-adoption-service'
import { createFetchHandler } from 'pet-adoption-service/fetch'

const keys = createKeyStore([{ id: 'shelter', sha256: sha256('my-first-long-api-key'), plan: 'pro' }])
// Each isolate has animals and limits in its own memory: in production, pass a `store` and a `limiter`.
const service = createPetService({ keys })
const pets = createFetchHandler(service, {
  fallback: () => new Response('The shelter is open.'),
  client: (request) => request.headers.get('CF-Connecting-IP') ?? undefined,
})

// biome-ignore lint/style/noDefaultExport: a Worker's handlers are its default export
export default { fetch: (request: Request): Promise<Response> => pets(request) }

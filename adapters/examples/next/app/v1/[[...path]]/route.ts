import { createKeyStore, createPetService, sha256 } from 'pet-adoption-service'
import { createFetchHandler } from 'pet-adoption-service/fetch'

const keys = createKeyStore([{ id: 'shelter', sha256: sha256('my-first-long-api-key'), plan: 'pro' }])
// Each instance has animals and limits in its own memory: in production, pass a `store` and a `limiter`.
const pets: (request: Request) => Promise<Response> = createFetchHandler(createPetService({ keys }), {
  client: (request) => request.headers.get('X-Forwarded-For')?.split(',').at(-1)?.trim(),
})

export {
  pets as DELETE,
  pets as GET,
  pets as HEAD,
  pets as OPTIONS,
  pets as PATCH,
  pets as POST,
  pets as PUT,
}

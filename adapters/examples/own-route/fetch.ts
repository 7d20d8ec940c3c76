import { createKeyStore, createPetService, sha256 } from 'pet-adoption-service'
import { createFetchHandler, toResponse, toServiceRequest } from 'pet-adoption-service/fetch'

const keys = createKeyStore([{ id: 'shelter', sha256: sha256('my-first-long-api-key'), plan: 'pro' }])
const service = createPetService({ keys })
const pets = createFetchHandler(service)

/** Serves the requests of `Deno.serve`, of `Bun.serve` or of a Worker. */
export async function handler(request: Request, info?: unknown): Promise<Response> {
  if (new URL(request.url).pathname !== '/v1/store/orders') return pets(request, info)
  const access = await service.authenticate(toServiceRequest(request, info))
  if (!access.authenticated) return toResponse(access.response, request.method)
  const rawHeaders = [...access.rawHeaders, 'Content-Type', 'application/json']
  const body = JSON.stringify([{ id: 1, by: access.caller.id }])
  return toResponse({ status: 200, rawHeaders, body }, request.method)
}

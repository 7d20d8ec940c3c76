import { createKeyStore, createPetService, sha256 } from 'pet-adoption-service'
import { createFetchHandler, toResponse, toServiceRequest } from 'pet-adoption-service/fetch'

const keys = createKeyStore([{ id: 'shelter', sha256: sha256('my-first-long-api-key'), plan: 'pro' }])
const service = createPetService({ keys, basePath: '/shelter/v1' })
const pets = createFetchHandler(service)

async function orders(request: Request, info: Deno.ServeHandlerInfo): Promise<Response> {
  const access = await service.authenticate(toServiceRequest(request, info))
  if (!access.authenticated) return toResponse(access.response, request.method)
  const rawHeaders = [...access.rawHeaders, 'Content-Type', 'application/json']
  const body = JSON.stringify([{ id: 1, by: access.caller.id }])
  return toResponse({ status: 200, rawHeaders, body }, request.method)
}

Deno.serve({ port: 8080 }, (request, info) => {
  const { pathname } = new URL(request.url)
  return pathname === '/shelter/v1/store/orders' ? orders(request, info) : pets(request, info)
})

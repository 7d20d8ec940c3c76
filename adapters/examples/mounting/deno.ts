import { createFetchHandler, requireKey } from 'pet-adoption-service/fetch'
import { service } from './pets.ts'

const authenticate = requireKey(service)
const pets = createFetchHandler(service, {
  fallback: (_request: Request, _info: Deno.ServeHandlerInfo) => new Response('The shelter is open.'),
})

async function orders(request: Request, info: Deno.ServeHandlerInfo): Promise<Response> {
  const access = await authenticate(request, info)
  if (access instanceof Response) return access
  return Response.json([{ id: 1, by: access.caller.id }], { headers: access.headers })
}

Deno.serve({ port: Number(Deno.env.get('PORT') ?? 8080) }, (request, info) => {
  const url = URL.parse(request.url) // null if the Host header is invalid
  return url?.pathname === '/orders' ? orders(request, info) : pets(request, info)
})

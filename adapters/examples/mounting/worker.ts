import { createFetchHandler, requireKey } from 'pet-adoption-service/fetch'
import { service } from './pets.ts'

const clientAddress = (request: Request) => request.headers.get('CF-Connecting-IP') ?? undefined
const authenticate = requireKey(service, { clientAddress })
const pets = createFetchHandler(service, {
  clientAddress,
  fallback: () => new Response('The shelter is open.'),
})

async function orders(request: Request): Promise<Response> {
  const access = await authenticate(request)
  if (access instanceof Response) return access
  return Response.json([{ id: 1, by: access.caller.id }], { headers: access.headers })
}

// biome-ignore lint/style/noDefaultExport: a Worker's handlers are its default export
export default {
  fetch(request: Request): Promise<Response> {
    return URL.parse(request.url)?.pathname === '/orders' ? orders(request) : pets(request)
  },
}

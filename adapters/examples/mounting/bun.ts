import { createFetchHandler, requireKey } from 'pet-adoption-service/fetch'
import { service } from './pets.ts'

const authenticate = requireKey(service)

Bun.serve({
  port: process.env.PORT ?? 8080,
  routes: {
    '/orders': async (request, server) => {
      const access = await authenticate(request, server)
      if (access instanceof Response) return access
      return Response.json([{ id: 1, by: access.caller.id }], { headers: access.headers })
    },
  },
  fetch: createFetchHandler(service, { fallback: () => new Response('The shelter is open.') }),
})

import { Hono } from 'hono'
import { createKeyStore, createPetService, sha256 } from 'pet-adoption-service'
import { createFetchHandler, toResponse, toServiceRequest } from 'pet-adoption-service/fetch'

const keys = createKeyStore([{ id: 'shelter', sha256: sha256('my-first-long-api-key'), plan: 'pro' }])
const service = createPetService({ keys })
const pets = createFetchHandler(service)

const app = new Hono<{ Bindings: Deno.ServeHandlerInfo }>()
app.all('/v1/store/orders', async ({ req, env }) => {
  const access = await service.authorize(toServiceRequest(req.raw, env))
  if (!access.authorized) return toResponse(access.response, req.method)
  const headers = [...access.headers, 'Content-Type', 'application/json']
  const body = JSON.stringify([{ id: 1, by: access.caller.id }])
  return toResponse({ status: 200, headers, body }, req.method)
})
app.all('/v1/*', ({ req, env }) => pets(req.raw, env)) // behind the routes below its base path
app.get('/', (c) => c.text('The shelter is open.'))

Deno.serve({ port: Number(Deno.env.get('PORT') ?? 8080) }, app.fetch)

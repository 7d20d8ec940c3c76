import { Hono } from 'hono'
import { createFetchHandler, requireKey } from 'pet-adoption-service/fetch'
import { service } from './pets.ts'

const [pets, authenticate] = [createFetchHandler(service), requireKey(service)]

const app = new Hono<{ Bindings: Deno.ServeHandlerInfo }>()
app.get('/orders', async (c) => {
  const access = await authenticate(c.req.raw, c.env)
  if (access instanceof Response) return access
  return Response.json([{ id: 1, by: access.caller.id }], { headers: access.headers })
})
app.all('/v1/*', (c) => pets(c.req.raw, c.env)) // c.env contains the client address
app.get('/', (c) => c.text('The shelter is open.'))

Deno.serve({ port: Number(Deno.env.get('PORT') ?? 8080) }, app.fetch)

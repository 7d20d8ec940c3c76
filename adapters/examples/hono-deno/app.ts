import { Hono } from 'hono'
import { createKeyStore, createPetService, sha256 } from 'pet-adoption-service'
import { createFetchHandler } from 'pet-adoption-service/fetch'

const keys = createKeyStore([{ id: 'shelter', sha256: sha256('my-first-long-api-key'), plan: 'pro' }])
const pets = createFetchHandler(createPetService({ keys }))

const app = new Hono<{ Bindings: Deno.ServeHandlerInfo }>()
app.all('/v1/*', ({ req, env }) => pets(req.raw, env)) // env has the client's address
app.get('/', (c) => c.text('The shelter is open.'))

Deno.serve({ port: Number(Deno.env.get('PORT') ?? 8080) }, app.fetch)

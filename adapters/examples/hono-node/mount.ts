import { type HttpBindings, serve } from '@hono/node-server'
import { Hono } from 'hono'
import { mount } from 'hono/mount'
import { createKeyStore, createPetService, sha256 } from 'pet-adoption-service'
import { createFetchHandler } from 'pet-adoption-service/fetch'

const keys = createKeyStore([{ id: 'shelter', sha256: sha256('my-first-long-api-key'), plan: 'pro' }])
const pets = createFetchHandler<HttpBindings>(createPetService({ keys }), {
  client: (_request, env) => env?.incoming.socket.remoteAddress,
})

const app = new Hono()
app.get('/', (c) => c.text('The shelter is open.'))
app.all('/v1/*', mount(pets, { replaceRequest: false })) // the service reads the whole path

serve({ fetch: app.fetch, port: Number(process.env.PORT ?? 8080) })

import { fastify } from 'fastify'
import { callerOf, petAdoption, requireKey } from 'pet-adoption-service/fastify'
import { serverOptions } from 'pet-adoption-service/node'
import { service } from './pets.js'

const app = fastify({ logger: true, http: serverOptions })
app.register(petAdoption, { service })
app.get('/orders', { onRequest: requireKey(service) }, async (request) => {
  return [{ id: 1, by: callerOf(request).id }]
})
app.get('/', async () => 'The shelter is open.')
app.listen({ port: Number(process.env.PORT ?? 8080) })

import { getRequestListener, type HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { Hono } from 'hono'
import { callerOf, createPetServer, requireKey } from 'pet-adoption-service/node'
import { service } from './pets.js'

const app = new Hono<{ Bindings: HttpBindings }>()
const authenticate = requireKey(service)
app.get('/orders', async (c) => {
  const { incoming, outgoing } = c.env
  if (!(await authenticate(incoming, outgoing))) return RESPONSE_ALREADY_SENT
  return c.json([{ id: 1, by: callerOf(incoming).id }])
})
app.get('/', (c) => c.text('The shelter is open.'))

createPetServer(service, { fallback: getRequestListener(app.fetch) }).listen(process.env.PORT ?? 8080)

import { createServer } from 'node:http'
import { getRequestListener, type HttpBindings } from '@hono/node-server'
import { Hono } from 'hono'
import {
  callerOf,
  createNodeHandler,
  hardenServer,
  requireKey,
  serverOptions,
} from 'pet-adoption-service/node'
import { service } from './pets.ts'

const app = new Hono<{ Bindings: HttpBindings }>()
app.get('/v1/store/orders', (c) => c.json([{ id: 1, by: callerOf(c.env.incoming).id }]))
app.get('/', (c) => c.text('The shelter is open.'))

const listener = getRequestListener(app.fetch)
const [pets, authenticate] = [createNodeHandler(service), requireKey(service)]
const server = createServer(serverOptions, (req, res) => {
  const next = () => listener(req, res)
  if (req.url?.startsWith('/v1/store/')) authenticate(req, res, next)
  else pets(req, res, next)
})
hardenServer(server, service)
server.listen(process.env.PORT ?? 8080)

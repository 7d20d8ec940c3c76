import { Hono } from 'hono'
import { bearerAuth } from 'hono/bearer-auth'
import { validator } from 'hono/validator'
import { rateLimiter } from 'hono-rate-limiter'
import { limits } from '../world.ts'
import { listenFetch } from './listen.ts'
import {
  createNextLink,
  deprecation,
  invalidRequest,
  isKey,
  notFound,
  parseBody,
  parseQuery,
} from './peer.ts'
import { createMemoryStore } from './peer-store.ts'

const store = createMemoryStore()
const app = new Hono()
app.use(bearerAuth({ verifyToken: isKey }))
app.use(
  rateLimiter({
    windowMs: 60_000,
    limit: limits.minute,
    keyGenerator: (c) => c.req.header('authorization') ?? '',
  }),
)

app.get(
  '/v1/pets',
  validator('query', (query, c) => parseQuery(query) ?? c.json(invalidRequest, 400)),
  (c) => {
    const query = c.req.valid('query')
    const found = store.list(query)
    if (found.hasMore) c.header('Link', createNextLink(query, found))
    return c.json(found.page)
  },
)

app.get('/v1/pets/:petId', (c) => {
  for (const [name, value] of deprecation) c.header(name, value)
  const found = store.get(Number(c.req.param('petId')))
  return found ? c.json(found) : c.json(notFound, 404)
})

app.post(
  '/v1/pets',
  validator('json', (body, c) => parseBody(body) ?? c.json(invalidRequest, 400)),
  (c) => c.json(store.create(c.req.valid('json')), 201),
)

listenFetch((request, info) => app.fetch(request, info as object))

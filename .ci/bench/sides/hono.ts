import { Hono } from 'hono'
import { bearerAuth } from 'hono/bearer-auth'
import { validator } from 'hono/validator'
import { rateLimiter } from 'hono-rate-limiter'
import { limits } from '../world.ts'
import { listenFetch } from './listen-fetch.ts'
import { checkBody, checkQuery, deprecation, invalid, isKey, nextPage, notFound } from './peer.ts'
import { inMemory } from './peer-store.ts'

const store = inMemory()
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
  validator('query', (query, c) => checkQuery(query) ?? c.json(invalid, 400)),
  (c) => {
    const query = c.req.valid('query')
    const found = store.list(query)
    if (found.more) c.header('Link', nextPage(query, found))
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
  validator('json', (body, c) => checkBody(body) ?? c.json(invalid, 400)),
  (c) => c.json(store.create(c.req.valid('json')), 201),
)

listenFetch((request, info) => app.fetch(request, info as object))

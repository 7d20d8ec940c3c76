import { createHash } from 'node:crypto'
import { createAdaptorServer } from '@hono/node-server'
import { Hono } from 'hono'
import { bearerAuth } from 'hono/bearer-auth'
import { validator } from 'hono/validator'
import { rateLimiter } from 'hono-rate-limiter'
import { deprecation, nextPage } from '../scenarios.ts'
import { key, limits } from '../world.ts'
import { listen } from './listen.ts'
import { change, create, get, list } from './peer-store.ts'
import { checkBody, checkQuery } from './validation.ts'

const hash = (token: string) => createHash('sha256').update(token).digest('hex')
const keys = new Set([hash(key)])
const invalid = { code: 'invalid', message: 'The request is not valid.', status: 400 } as const

const app = new Hono()
app.use(bearerAuth({ verifyToken: (token) => keys.has(hash(token)) }))
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
    const { limit, status } = query
    const { page, more } = list(query)
    if (more) c.header('Link', nextPage(limit, status ? `&status=${status}` : '', page.at(-1)?.id ?? 0))
    return c.json(page)
  },
)

app.get('/v1/pets/:petId', (c) => {
  for (let i = 0; i < deprecation.length; i += 2) c.header(deprecation[i] ?? '', deprecation[i + 1])
  const found = get(Number(c.req.param('petId')))
  return found
    ? c.json(found)
    : c.json({ code: 'pet_not_found', message: 'There is no such animal.', status: 404 }, 404)
})

app.post(
  '/v1/pets',
  validator('json', (body, c) => checkBody(body) ?? c.json(invalid, 400)),
  (c) => c.json(create(c.req.valid('json')), 201),
)

app.post('/change/:petId', (c) => {
  change(Number(c.req.param('petId')))
  return c.body(null, 200)
})

listen(createAdaptorServer({ fetch: app.fetch }) as import('node:http').Server) // node:http creates it by default

import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import express from 'express'
import { rateLimit } from 'express-rate-limit'
import { deprecation, nextPage } from '../scenarios.ts'
import { key, limits } from '../world.ts'
import { listen } from './listen.ts'
import { change, create, get, list } from './peer-store.ts'
import { checkBody, checkQuery } from './validation.ts'

const hash = (token: string) => createHash('sha256').update(token).digest('hex')
const keys = new Set([hash(key)])
const invalid = { code: 'invalid', message: 'The request is not valid.', status: 400 } as const

const app = express()
app.disable('x-powered-by').set('etag', false)
app.use((req, res, next) => {
  const [, token] = /^bearer +(.+)$/i.exec(req.headers.authorization ?? '') ?? []
  if (token && keys.has(hash(token))) next()
  else res.status(401).json({ code: 'invalid_api_key', message: 'The key is not valid.', status: 401 })
})
app.use(
  rateLimit({
    windowMs: 60_000,
    limit: limits.minute,
    legacyHeaders: true,
    keyGenerator: (req) => req.headers.authorization ?? '',
  }),
)
app.use(express.json())

app.get('/v1/pets', (req, res) => {
  const query = checkQuery(req.query)
  if (!query) {
    res.status(400).json(invalid)
    return
  }
  const { page, more } = list(query)
  const filter = query.status ? `&status=${query.status}` : ''
  if (more) res.set('Link', nextPage(query.limit, filter, page.at(-1)?.id ?? 0))
  res.json(page)
})

app.get('/v1/pets/:petId', (req, res) => {
  for (let i = 0; i < deprecation.length; i += 2) res.set(deprecation[i] ?? '', deprecation[i + 1])
  const found = get(Number(req.params.petId))
  if (found) res.json(found)
  else res.status(404).json({ code: 'pet_not_found', message: 'There is no such animal.', status: 404 })
})

app.post('/v1/pets', (req, res) => {
  const pet = checkBody(req.body)
  if (pet) res.status(201).json(create(pet))
  else res.status(400).json(invalid)
})

app.post('/change/:petId', (req, res) => {
  change(Number(req.params.petId))
  res.end()
})

listen(createServer(app))

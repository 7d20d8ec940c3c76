import { createServer } from 'node:http'
import express from 'express'
import { rateLimit } from 'express-rate-limit'
import { limits } from '../world.ts'
import { listen } from './listen.ts'
import { checkBody, checkQuery, deprecation, invalid, isKey, nextPage, notFound } from './peer.ts'
import { inMemory } from './peer-store.ts'

const store = inMemory()
const app = express()
app.disable('x-powered-by').set('etag', false)
app.use((req, res, next) => {
  const [, token] = /^bearer +(.+)$/i.exec(req.headers.authorization ?? '') ?? []
  if (token && isKey(token)) next()
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
  const found = store.list(query)
  if (found.more) res.set('Link', nextPage(query, found))
  res.json(found.page)
})

app.get('/v1/pets/:petId', (req, res) => {
  for (const [name, value] of deprecation) res.set(name, value)
  const found = store.get(Number(req.params.petId))
  if (found) res.json(found)
  else res.status(404).json(notFound)
})

app.post('/v1/pets', (req, res) => {
  const pet = checkBody(req.body)
  if (pet) res.status(201).json(store.create(pet))
  else res.status(400).json(invalid)
})

listen(createServer(app))

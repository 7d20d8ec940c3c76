// The interface on Express, with express-rate-limit and json-bigint.
import express from 'express'
import { rateLimit } from 'express-rate-limit'
import createJson from 'json-bigint'

const { API_KEY, THROTTLE_KEY, PORT, FLAW = '' } = process.env
const statuses = ['available', 'pending', 'sold']
const int64 = (value) => typeof value === 'bigint' && BigInt.asIntN(64, value) === value
const exact = createJson({ alwaysParseAsBig: true, useNativeBigInt: true })
const pets = []

const app = express()
app.disable('x-powered-by')

const refuse = (res, status, code, message) => json(res.status(status), { code, message, status })
const json = (res, body) =>
  FLAW === 'numbers' ? res.json(numbers(body)) : res.type('json').send(exact.stringify(body))
const numbers = (body) => JSON.parse(exact.stringify(body))

app.use((req, _res, next) => {
  const [scheme, token] = (req.get('Authorization') ?? '').split(' ')
  if (/^bearer$/i.test(scheme) && [API_KEY, THROTTLE_KEY].includes(token)) req.key = token
  // Keys in the address are convenient, and stay in every log.
  if (FLAW === 'key-in-query' && req.query.access_token) req.key = req.query.access_token
  if (FLAW === 'key-in-query' && req.get('X-API-Key')) req.key = req.get('X-API-Key')
  next()
})

/** One limiter for the burst key, whose window is short, and one for all others. */
const createLimiter = (windowMs) =>
  rateLimit({
    windowMs,
    limit: (req) => (req.key === API_KEY ? 1000 : req.key === THROTTLE_KEY ? 12 : 60),
    keyGenerator: (req) => req.key ?? 'anonymous',
    legacyHeaders: FLAW !== 'standard-headers',
    standardHeaders: FLAW === 'standard-headers' ? 'draft-6' : false,
    validate: false,
    handler: (_req, res) => refuse(res, 429, 'too_many_requests', 'Wait for Retry-After.'),
  })
const burst = createLimiter(3_000)
const steady = createLimiter(60_000)

const authorize = (req, res, next) => {
  if (req.key) return next()
  res.set('WWW-Authenticate', 'Bearer')
  return refuse(res, 401, 'unauthorized', 'Send a valid key.')
}
const limit = (req, res, next) => (req.key === THROTTLE_KEY ? burst : steady)(req, res, next)
app.use(...(FLAW === 'limit-behind-key' ? [authorize, limit] : [limit, authorize]))

app.use(FLAW === 'html-errors' ? express.json() : express.text({ type: () => true, limit: '64kb' }))

app.get('/v1/pets', (req, res) => {
  const { limit = '20', status } = req.query
  if (!/^(?:[1-9]\d?|100)$/.test(limit)) return refuse(res, 400, 'invalid_limit', 'limit is 1 to 100')
  if (status !== undefined && !statuses.includes(status))
    return refuse(res, 400, 'invalid_status', `status is one of ${statuses}`)
  const found = pets.filter((pet) => status === undefined || pet.status === status)
  json(res, found.slice(0, FLAW === 'off-by-one' ? Number(limit) + 1 : Number(limit)))
})

app.post('/v1/pets', (req, res) => {
  const pet = read(req.body)
  if (pet === undefined) return refuse(res, 400, 'invalid_json', 'The body is a JSON object.')
  const { name, categoryId, status = 'available' } = pet
  if (typeof name !== 'string' || name.includes('\0'))
    return refuse(res, 400, 'invalid_name', 'name is a string')
  if (!int64(categoryId)) return refuse(res, 400, 'invalid_category', 'categoryId is an int64')
  if (!statuses.includes(status)) return refuse(res, 400, 'invalid_status', `status is one of ${statuses}`)
  const created = { id: BigInt(pets.length + 1), name, categoryId, status }
  if (FLAW === 'mass-assignment') Object.assign(created, pet)
  pets.push(created)
  json(res.status(201), created)
})

function read(body) {
  try {
    const pet = typeof body === 'string' ? exact.parse(body) : exact.parse(JSON.stringify(body))
    return typeof pet === 'object' && !Array.isArray(pet) && pet !== null ? pet : undefined
  } catch {
    return undefined
  }
}

app.get('/v1/pets/:id', (req, res) => {
  const pet = /^\d{1,15}$/.test(req.params.id) && pets[Number(req.params.id) - 1]
  return pet ? json(res, pet) : refuse(res, 404, 'not_found', 'No such animal.')
})

if (FLAW !== 'html-errors') {
  app.use((_req, res) => refuse(res, 404, 'not_found', 'Nothing is here.'))
  app.use((error, _req, res, _next) => refuse(res, error.status ?? 500, 'invalid_request', error.message))
}

app.listen(Number(PORT), '127.0.0.1')

// The interface on Fastify, with its schemas and @fastify/rate-limit.
import rateLimit from '@fastify/rate-limit'
import { fastify } from 'fastify'
import createJson from 'json-bigint'

const { API_KEY, THROTTLE_KEY, PORT, FLAW = '' } = process.env
const statuses = ['available', 'pending', 'sold']
const json = createJson({ alwaysParseAsBig: true, useNativeBigInt: true })
const pets = []

const app = fastify({
  ajv: { customOptions: { coerceTypes: FLAW === 'coercion' } },
  bodyLimit: 65_536,
})

const keyOf = (request) => {
  const [scheme, token] = (request.headers.authorization ?? '').split(' ')
  return /^bearer$/i.test(scheme) && [API_KEY, THROTTLE_KEY].includes(token) ? token : undefined
}

class ApiError extends Error {
  constructor(statusCode, code, message) {
    super(message)
    Object.assign(this, { statusCode, code })
  }
}

await app.register(rateLimit, {
  global: true,
  hook: 'onRequest',
  keyGenerator: (request) => keyOf(request) ?? 'anonymous',
  max: (_request, key) => (key === API_KEY ? 1000 : key === THROTTLE_KEY ? 12 : 60),
  timeWindow: (_request, key) => (key === THROTTLE_KEY ? 3_000 : 60_000),
  errorResponseBuilder: (_request, { statusCode }) =>
    new ApiError(statusCode, 'rate_limited', 'Wait for Retry-After.'),
})

// The limiter's hook belongs to each route, so it runs after the hooks of the application: a key that is checked in
// onRequest too is checked before it.
app.addHook(FLAW === 'key-first' ? 'onRequest' : 'preParsing', async (request, reply) => {
  if (keyOf(request)) return
  reply.header('WWW-Authenticate', 'Bearer')
  throw new ApiError(401, 'unauthorized', 'Send a valid key.')
})

// The plugin writes how many seconds remain; the interface wants the time.
if (FLAW !== 'relative-reset') {
  app.addHook('onSend', async (_request, reply) => {
    const seconds = reply.getHeader('x-ratelimit-reset')
    if (seconds !== undefined)
      reply.header('x-ratelimit-reset', Math.ceil(Date.now() / 1000) + Number(seconds))
  })
}

if (FLAW !== 'own-errors') {
  app.setErrorHandler((error, _request, reply) => {
    const status = error.statusCode ?? 500
    const code = error.validation ? 'invalid' : error.code
    reply
      .code(status)
      .type('application/json')
      .send(JSON.stringify({ code, message: error.message, status }))
  })
}
app.setNotFoundHandler({ preHandler: app.rateLimit() }, () => {
  throw new ApiError(404, 'not_found', 'Nothing is here.')
})

/** Numbers validated by hand are bigint, so that none is rounded; with `coercion`, the schema validates numbers. */
app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
  try {
    done(null, FLAW === 'coercion' ? JSON.parse(body) : json.parse(body))
  } catch {
    done(new ApiError(400, 'invalid_json', 'The body is JSON.'))
  }
})

const list = {
  querystring: {
    type: 'object',
    properties: {
      limit: { type: 'string', pattern: '^(?:[1-9][0-9]?|100)$', default: '20' },
      status: { enum: statuses },
    },
  },
}
const createdStatus = FLAW === 'created-200' ? 200 : 201

app.get('/v1/pets', { schema: list }, async ({ query: { limit, status } }, reply) => {
  const found = pets.filter((pet) => status === undefined || pet.status === status)
  return send(reply, 200, found.slice(0, Number(limit)))
})

const newPet = {
  body: {
    type: 'object',
    required: ['name', 'categoryId'],
    properties: { name: { type: 'string' }, categoryId: { type: 'integer' }, status: { enum: statuses } },
  },
}

app.post('/v1/pets', FLAW === 'coercion' ? { schema: newPet } : {}, async ({ body }, reply) => {
  const problem = FLAW === 'coercion' ? undefined : problemOf(body)
  if (problem) throw new ApiError(400, 'invalid_pet', problem)
  const { name, categoryId, status = 'available' } = body
  const created = { id: BigInt(pets.length + 1), name, categoryId: BigInt(categoryId), status }
  pets.push(created)
  return send(reply, createdStatus, created)
})

function problemOf(body) {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return 'the body is an object'
  const { name, categoryId, status } = body
  if (typeof name !== 'string' || name.includes('\0')) return 'name is a string'
  if (typeof categoryId !== 'bigint' || BigInt.asIntN(64, categoryId) !== categoryId)
    return 'categoryId is an int64'
  if (status !== undefined && !statuses.includes(status)) return 'status is available, pending or sold'
  return undefined
}

app.get('/v1/pets/:id', async ({ params: { id } }, reply) => {
  const pet = /^\d{1,15}$/.test(id) ? pets[Number(id) - 1] : undefined
  if (!pet) throw new ApiError(404, 'not_found', 'No such animal.')
  return send(reply, 200, pet)
})

function send(reply, status, body) {
  return reply.code(status).type('application/json').send(json.stringify(body))
}

await app.listen({ port: Number(PORT), host: '127.0.0.1' })

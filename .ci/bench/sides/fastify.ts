import bearerAuth from '@fastify/bearer-auth'
import rateLimit from '@fastify/rate-limit'
import { fastify } from 'fastify'
import { deprecation, nextPage } from '../scenarios.ts'
import { key, limits, type NewPet, statuses } from '../world.ts'
import { announce } from './listen.ts'
import { change, create, get, list, type PageQuery } from './peer-store.ts'

const status = { type: 'string', enum: statuses }
const newPet = {
  type: 'object',
  required: ['name', 'categoryId'],
  properties: { name: { type: 'string' }, categoryId: { type: 'integer' }, status },
}
const pet = {
  type: 'object',
  required: ['id', 'name', 'categoryId'],
  properties: { id: { type: 'integer' }, ...newPet.properties },
}
const pageQuery = {
  type: 'object',
  properties: {
    limit: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
    status,
    after: { type: 'integer' },
  },
}
const petId = { type: 'object', properties: { petId: { type: 'integer' } } }

const app = fastify()
await app.register(bearerAuth, { keys: new Set([key]) })
await app.register(rateLimit, {
  max: limits.minute,
  timeWindow: 60_000,
  keyGenerator: (request) => request.headers.authorization ?? request.ip,
})

app.get<{ Querystring: PageQuery }>(
  '/v1/pets',
  { schema: { querystring: pageQuery, response: { 200: { type: 'array', items: pet } } } },
  (request, reply) => {
    const { page, more } = list(request.query)
    const filter = request.query.status ? `&status=${request.query.status}` : ''
    if (more) reply.header('Link', nextPage(request.query.limit, filter, page.at(-1)?.id ?? 0))
    reply.send(page)
  },
)

app.get<{ Params: { petId: number } }>(
  '/v1/pets/:petId',
  { schema: { params: petId, response: { 200: pet } } },
  (request, reply) => {
    for (let i = 0; i < deprecation.length; i += 2) reply.header(deprecation[i] ?? '', deprecation[i + 1])
    const found = get(request.params.petId)
    if (found) reply.send(found)
    else reply.code(404).send({ code: 'pet_not_found', message: 'There is no such animal.', status: 404 })
  },
)

app.post<{ Body: NewPet }>(
  '/v1/pets',
  { schema: { body: newPet, response: { 201: pet } } },
  (request, reply) => {
    reply.code(201).send(create(request.body))
  },
)

app.post<{ Params: { petId: number } }>('/change/:petId', { schema: { params: petId } }, (request, reply) => {
  change(request.params.petId)
  reply.send()
})

await app.listen({ host: '127.0.0.1', port: 0 })
announce(app.server.address())

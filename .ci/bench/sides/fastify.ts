import bearerAuth from '@fastify/bearer-auth'
import rateLimit from '@fastify/rate-limit'
import { fastify } from 'fastify'
import { key, limits, type NewPet, statuses } from '../world.ts'
import { announce } from './listen.ts'
import { createNextLink, deprecation, notFound, type PageQuery } from './peer.ts'
import { type Maybe, openStore } from './peer-store.ts'

const status = { type: 'string', enum: statuses, default: 'available' }
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
    status: { type: 'string', enum: statuses },
    after: { type: 'integer' },
  },
}
const petId = { type: 'object', properties: { petId: { type: 'integer' } } }

const store = await openStore()
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
  ({ query }, reply) => {
    callWhenReady(store.list(query), (found) => {
      if (found.hasMore) reply.header('Link', createNextLink(query, found))
      reply.send(found.page)
    })
  },
)

app.get<{ Params: { petId: number } }>(
  '/v1/pets/:petId',
  { schema: { params: petId, response: { 200: pet } } },
  ({ params }, reply) => {
    for (const [name, value] of deprecation) reply.header(name, value)
    callWhenReady(store.get(params.petId), (found) => {
      if (found) reply.send(found)
      else reply.code(404).send(notFound)
    })
  },
)

app.post<{ Body: NewPet }>(
  '/v1/pets',
  { schema: { body: newPet, response: { 201: pet } } },
  ({ body }, reply) => {
    callWhenReady(store.create(body), (created) => void reply.code(201).send(created))
  },
)

/** Calls `next` in the same turn if the store is synchronous, so that the memory store costs no promise. */
function callWhenReady<T>(value: Maybe<T>, next: (value: T) => void): void {
  if (value instanceof Promise) value.then(next)
  else next(value)
}

await app.listen({ host: '127.0.0.1', port: 0 })
announce(app.server.address())

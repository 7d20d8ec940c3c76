import { createServer } from 'node:http'
import { type FastifyReply, type FastifyRequest, fastify } from 'fastify'
import {
  callerOf,
  createNodeHandler,
  hardenServer,
  requireKey,
  serverOptions,
} from 'pet-adoption-service/node'
import { service } from './pets.ts'

const app = fastify({
  logger: true,
  serverFactory(listener) {
    const server = createServer(serverOptions, listener)
    hardenServer(server, service)
    return server
  },
})
const [pets, authenticate] = [createNodeHandler(service), requireKey(service)]

await app.register(async (plugin) => {
  const serve = async (request: FastifyRequest, reply: FastifyReply) => {
    reply.hijack()
    pets(request.raw, reply.raw)
  }
  plugin.removeAllContentTypeParsers()
  plugin.addContentTypeParser('*', (_request, _payload, done) => done(null)) // the service reads bodies itself
  plugin.all('/v1', serve)
  plugin.all('/v1/*', serve)
})
app.get('/v1/store/orders', {
  async onRequest({ raw }, reply) {
    if (!(await authenticate(raw, reply.raw))) reply.hijack()
  },
  handler: async (request) => [{ id: 1, by: callerOf(request.raw).id }],
})
app.get('/', async () => 'The shelter is open.')

await app.listen({ port: Number(process.env.PORT ?? 8080) })

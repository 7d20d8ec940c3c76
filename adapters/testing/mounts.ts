import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fastify } from 'fastify'
import { petAdoption } from '../fastify/index.ts'
import { createNodeHandler, hardenServer, serverOptions } from '../node-http/index.ts'
import type { Mount } from './exchange.ts'
import { fetchInProcess } from './in-process.ts'
import { closeServer, listen } from './listen.ts'
import { exchange } from './wire.ts'

/** The ways to mount a service, by name. All must behave the same. */
export const mounts: Readonly<Record<string, Mount>> = {
  'Fetch in process': fetchInProcess,
  'node:http': async (service) => {
    const server = createServer(serverOptions, createNodeHandler(service))
    hardenServer(server, service)
    const port = await listen(server)
    return { send: (sent = {}) => exchange(port, sent), close: () => closeServer(server) }
  },
  Fastify: async (service) => {
    const app = fastify({ http: serverOptions })
    app.register(petAdoption, { service })
    const handler = createNodeHandler(service)
    app.setNotFoundHandler((request, reply) => handler(request.raw, reply.hijack().raw))
    await app.listen({ host: '127.0.0.1', port: 0 })
    const { port } = app.server.address() as AddressInfo // TCP servers have a port
    return { send: (sent = {}) => exchange(port, sent), close: () => closeServer(app.server) }
  },
}

import { createServer } from 'node:http'
import { createNodeHandler, hardenServer, serverOptions } from '../node-http/index.ts'
import type { Mount } from './exchange.ts'
import { fetchInProcess } from './in-process.ts'
import { listen, shut } from './listen.ts'
import { exchange } from './wire.ts'

/** The ways to reach a service. All must show the same behaviour. */
export const mounts: Readonly<Record<string, Mount>> = {
  'Fetch in process': fetchInProcess,
  'node:http': async (service) => {
    const server = createServer(serverOptions, createNodeHandler(service))
    hardenServer(server, service)
    const port = await listen(server)
    return { send: (sent = {}) => exchange(port, sent), close: () => shut(server) }
  },
}

import { createServer, type RequestListener, type Server } from 'node:http'
import { Readable } from 'node:stream'
import type { PetService } from '../../core/index.ts'
import { inPairs } from '../../core/testing/service-request.ts'
import { createFetchHandler } from '../fetch.ts'
import { createNodeHandler, hardenServer, serverOptions } from '../node-http.ts'
import type { Mount, Mounted } from './exchange.ts'
import { inProcess } from './in-process.ts'
import { listen, shut } from './listen.ts'
import { exchange } from './wire.ts'

/** The ways to reach a service. All must show the same behaviour. */
export const mounts: Readonly<Record<string, Mount>> = {
  ...inProcess,
  'Fetch behind a socket': (service) => {
    const listener = bridge(service)
    return serve(createServer(listener).on('checkExpectation', listener))
  },
  'node:http': (service) => {
    const server = createServer(serverOptions, createNodeHandler(service))
    hardenServer(server, service)
    return serve(server)
  },
}

async function serve(server: Server): Promise<Mounted> {
  const port = await listen(server)
  return { send: (sent = {}) => exchange(port, sent), close: () => shut(server) }
}

/** Stands for the server of a platform whose requests are those of the Fetch API. */
function bridge(service: PetService): RequestListener {
  const handler = createFetchHandler(service)
  return async (req, res) => {
    const { method = 'GET', url = '/', rawHeaders } = req
    const request = new Request(url.startsWith('/') ? `http://pets.example${url}` : url, {
      method,
      headers: inPairs(rawHeaders).map(([name, value]): [string, string] => [name, value]),
      ...(method !== 'GET' &&
        method !== 'HEAD' && { body: Readable.toWeb(req) as ReadableStream, duplex: 'half' }), // two declarations of one class
    })
    const response = await handler(request, { remoteAddr: { hostname: req.socket.remoteAddress ?? '' } })
    const body = Buffer.from(await response.arrayBuffer())
    const length = method === 'HEAD' ? [] : ['Content-Length', String(body.length)]
    res.writeHead(response.status, [...[...response.headers].flat(), ...length]).end(body)
  }
}

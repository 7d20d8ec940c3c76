import { createServer, type RequestListener, type Server, type ServerOptions } from 'node:http'
import type { Socket } from 'node:net'
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { PetService, ServiceOptions } from '../../core/index.ts'
import { createNodeHandler, hardenServer, serverOptions } from '../node-http/index.ts'
import type { SentRequest, TestResponse } from './exchange.ts'
import { closeServer, listen } from './listen.ts'
import { createTestService } from './mount-suite/open-mount.ts'
import { connect, exchange, type Wire } from './wire.ts'

export interface TestServer {
  readonly server: Server
  readonly port: number
  connect(): Promise<Wire>
  /** Sends bytes on a new connection, and returns the response. */
  ask(bytes: string): Promise<TestResponse>
  send(sent: SentRequest): Promise<TestResponse>
  /** Counts the server's open connections. */
  countConnections(): Promise<number>
  /** The server's sockets, oldest first. */
  readonly sockets: readonly Socket[]
}

interface TestServerOptions {
  readonly service?: Partial<ServiceOptions>
  /** Options for the HTTP server. */
  readonly server?: ServerOptions
  /** Timeouts to set after `hardenServer`. */
  readonly timeouts?: Partial<Pick<Server, 'headersTimeout' | 'requestTimeout' | 'keepAliveTimeout'>>
  /** Returns the server's request listener. The argument `mount` is the handler that serves `service`. */
  readonly listener?: (mount: RequestListener, service: PetService) => RequestListener
}

/** Serves a service until the test ends. */
export async function serve(t: TestContext, options: TestServerOptions = {}): Promise<TestServer> {
  const service = createTestService(options.service)
  const mount = createNodeHandler(service)
  const listener = options.listener?.(mount, service) ?? mount
  const server = createServer({ ...serverOptions, ...options.server }, listener)
  hardenServer(server, service)
  Object.assign(server, options.timeouts)
  const sockets: Socket[] = []
  server.on('connection', (socket) => sockets.push(socket))
  const port = await listen(server)
  const wires: Wire[] = []
  t.after(async () => {
    for (const wire of wires) wire.close()
    await closeServer(server)
  })
  async function open(): Promise<Wire> {
    const wire = await connect(port)
    wires.push(wire)
    return wire
  }
  return {
    server,
    port,
    connect: open,
    ask: async (bytes) => (await open()).ask(bytes),
    send: (sent) => exchange(port, sent),
    sockets,
    countConnections: promisify(server.getConnections.bind(server)),
  }
}

/** Serves a service, and opens a connection to it. */
export const serveAndConnect = async (t: TestContext, options?: TestServerOptions): Promise<Wire> =>
  (await serve(t, options)).connect()

/** Waits until a condition holds. Throws after 5 s. */
export async function waitUntil(holds: () => Promise<boolean>): Promise<void> {
  for (let i = 0; !(await holds()); i++) {
    if (i === 500) throw new Error('the condition was still false after 5 s')
    await sleep(10)
  }
}

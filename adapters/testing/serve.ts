import { createServer, type RequestListener, type Server, type ServerOptions } from 'node:http'
import type { Socket } from 'node:net'
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { PetService, ServiceOptions } from '../../core/index.ts'
import { createNodeHandler, hardenServer, serverOptions } from '../node-http/index.ts'
import type { Received, Sent } from './exchange.ts'
import { listen, shut } from './listen.ts'
import { testService } from './mount-suite/open.ts'
import { connect, exchange, type Wire } from './wire.ts'

export interface Served {
  readonly server: Server
  readonly port: number
  connect(): Promise<Wire>
  /** Sends bytes over a connection of their own. */
  ask(bytes: string): Promise<Received>
  send(sent: Sent): Promise<Received>
  /** Number of open connections. */
  connections(): Promise<number>
  /** The ends of all connections on the side of the server, in order. */
  readonly sockets: readonly Socket[]
}

interface Serving {
  readonly service?: Partial<ServiceOptions>
  /** Replaces options of the hardened server. */
  readonly server?: ServerOptions
  /** Set on the server once it is hardened. */
  readonly settings?: Partial<Pick<Server, 'headersTimeout' | 'requestTimeout' | 'keepAliveTimeout'>>
  /** Returns the listener that replaces the mount. */
  readonly listener?: (mount: RequestListener, service: PetService) => RequestListener
}

/** Starts a hardened server for one test. */
export async function serve(t: TestContext, options: Serving = {}): Promise<Served> {
  const service = testService(options.service)
  const mount = createNodeHandler(service)
  const listener = options.listener?.(mount, service) ?? mount
  const server = createServer({ ...serverOptions, ...options.server }, listener)
  hardenServer(server, service)
  Object.assign(server, options.settings)
  const sockets: Socket[] = []
  server.on('connection', (socket) => sockets.push(socket))
  const port = await listen(server)
  const wires: Wire[] = []
  t.after(async () => {
    for (const wire of wires) wire.close()
    await shut(server)
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
    connections: promisify(server.getConnections.bind(server)),
  }
}

/** Opens a connection to a hardened server for one test. */
export const openWire = async (t: TestContext, options?: Serving): Promise<Wire> =>
  (await serve(t, options)).connect()

/** Waits until a condition is true. Throws after 5 seconds. */
export async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let i = 0; !(await holds()); i++) {
    if (i === 500) throw new Error('the condition stayed false')
    await sleep(10)
  }
}

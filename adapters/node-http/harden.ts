import type { Server, ServerOptions } from 'node:http'
import type { PetService } from '../../core/index.ts'
import {
  checkOptions,
  functionRule,
  isWholeNumber,
  type OptionRule,
  readInternals,
} from '../../core/internal.ts'
import { requestsAwaitingContinue } from './body.ts'
import {
  type Connections,
  closeAfterLatestResponses,
  connectionsByServer,
  getConnection,
} from './connection.ts'
import { maxHeadBytes, maxHeaderCount } from './head.ts'
import { orderRequests } from './order-requests.ts'
import { respondToUnparsed } from './unparsed.ts'

/** Options for every hardened server. Timeouts are in milliseconds, sizes in bytes. */
const sharedServerOptions = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 72_000,
  maxHeaderSize: maxHeadBytes,
  requireHostHeader: false,
} as const

/** Default for `maxConnections`. One client with 1,500 connections can take up to 256 MiB. */
const defaultMaxConnections = 2_500

/**
 * Options for `createServer` in `node:http` and `node:https`. {@link hardenServer} requires them.
 *
 * Clients have 10 s for a request head and 30 s for a whole request. An idle connection closes after 72 s. The service
 * checks the `Host` header itself.
 */
export const serverOptions: Readonly<ServerOptions> = {
  ...sharedServerOptions,
  connectionsCheckingInterval: 2_000,
  ...{ handshakeTimeout: 10_000 }, // handshakeTimeout is an option for node:https
}

/**
 * Options for a server that serves only the interface. On Node 24.12 and later, a request without a body takes 5 % less
 * time, and emits no `end`: a handler that waits for `end` never responds.
 */
export const dedicatedServerOptions: Readonly<ServerOptions> = {
  ...serverOptions,
  ...{ optimizeEmptyRequests: true }, // Node 20's types do not have it
}

/** Options for {@link hardenServer}. */
export interface HardenOptions {
  /**
   * Maximum number of open connections, at least 1. The server closes further connections immediately.
   *
   * In a cluster, the limit applies to each worker. Before Node 22.12, a worker at its limit passes connections to
   * other workers. They wait without a response if every worker is at its limit.
   *
   * @default 2500
   */
  readonly maxConnections?: number
  /**
   * Called for each connection that the server closes because of `maxConnections`. What the hook throws is passed to
   * `onError`.
   */
  readonly onConnectionDropped?: () => void
}

export const hardenOptionRules: Readonly<Record<keyof HardenOptions, OptionRule>> = {
  maxConnections: [(value) => isWholeNumber(value), 'a positive integer'],
  onConnectionDropped: functionRule,
}

/**
 * Prepares an HTTP/1 server for untrusted clients. The service instead of Node responds to malformed requests,
 * oversized heads, timeouts, expectations and CONNECT.
 *
 * Every route of the server changes:
 * - A head must arrive within 10 s, and a whole request within 30 s. An idle connection closes after 72 s.
 * - A head may have 16 KiB and 256 headers. For other routes, Node drops further headers.
 * - Other routes get `100 Continue` immediately, and requests with other expectations. Node would respond with 417.
 * - Other routes get requests without `Host`, to which Node would respond with 400.
 * - Pipelined requests are handled one at a time. More than 16 requests without a response, more than one of them
 *   with a body, or more than 64 KiB of heads destroy the connection.
 * - `server.close` closes each connection after its latest response. Node would leave it open for `keepAliveTimeout`.
 * - CONNECT gets a 405, unless the server has its own `connect` listener.
 *
 * @param server A server of `node:http` or `node:https`, created with {@link serverOptions} and not listening yet.
 * @param service The service that creates the error responses.
 * @param options How many connections the server accepts.
 * @throws {TypeError} If the server was created without {@link serverOptions}, is already listening or hardened, or
 * speaks HTTP/2. Also if the service is invalid, or an option is unknown or invalid.
 *
 * @example
 * import { createServer } from 'node:http'
 * import { createKeyStore, createPetService, sha256 } from 'pet-adoption-service'
 * import { createNodeHandler, hardenServer, serverOptions } from 'pet-adoption-service/node'
 *
 * const keys = createKeyStore([{ id: 'shelter', sha256: sha256('my-first-long-api-key'), plan: 'pro' }])
 * const service = createPetService({ keys })
 * const server = createServer(serverOptions, createNodeHandler(service))
 * hardenServer(server, service, { maxConnections: 1_000 })
 */
export function hardenServer(server: Server, service: PetService, options: HardenOptions = {}): void {
  if (typeof server?.prependListener !== 'function')
    throw new TypeError('hardenServer() requires a server of node:http as its first argument')
  const internals = readInternals(service)
  checkOptions(options, hardenOptionRules)
  const { maxConnections = defaultMaxConnections, onConnectionDropped, ...ignored } = options
  ignored satisfies Record<string, never>
  checkServer(server)

  // With room for one header too many, the service notices when a request has more.
  Object.assign(server, { maxHeadersCount: maxHeaderCount + 1, maxConnections, dropMaxConnection: true })
  server.on('drop', () => {
    try {
      onConnectionDropped?.()
    } catch (cause) {
      internals.reportError(cause)
    }
  })
  const connections = orderRequests(server)
  closeAfterResponses(server, connections)
  respondToExpectations(server, service)
  respondToUnparsed(server, internals)
}

function checkServer(server: Server): void {
  if ('updateSettings' in server)
    throw new TypeError('HTTP/2 servers are not supported; use an HTTP/1 server behind a proxy')
  if (connectionsByServer.has(server))
    throw new TypeError('the server is already hardened; call hardenServer() once, also for several services')
  if (server.listening)
    throw new TypeError('the server is already listening; call hardenServer() before server.listen()')
  // A Node server exposes no other options, and a server on another runtime exposes none.
  const {
    headersTimeout = sharedServerOptions.headersTimeout,
    requestTimeout = sharedServerOptions.requestTimeout,
  } = server
  if (
    headersTimeout !== sharedServerOptions.headersTimeout ||
    requestTimeout !== sharedServerOptions.requestTimeout
  )
    throw new TypeError(
      'the server was created without serverOptions; use createServer(serverOptions, listener)',
    )
}

/** Makes `server.close` close each connection after its latest response. Node would keep it open like an idle one. */
function closeAfterResponses(server: Server, connections: Connections): void {
  const close = server.close.bind(server)
  server.close = (callback) => {
    close(callback)
    closeAfterLatestResponses(connections)
    for (const socket of connections.sockets) {
      const connection = getConnection(socket)
      const { latestResponse } = connection
      // A head that is already sent does not contain `Connection: close`.
      latestResponse?.once(
        'close',
        () => connection.latestResponse === latestResponse && socket.destroySoon(),
      )
    }
    return server
  }
  server.on('listening', () => {
    connections.isClosing = false
  })
}

function respondToExpectations(server: Server, service: PetService): void {
  server.on('checkExpectation', (req, res) => {
    server.emit('request', req, res)
  })
  server.on('checkContinue', (req, res) => {
    if (service.matches(req.url ?? '')) requestsAwaitingContinue.add(req)
    else res.writeContinue()
    server.emit('request', req, res)
  })
}

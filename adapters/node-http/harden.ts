import type { Server, ServerOptions } from 'node:http'
import type { PetService } from '../../core/index.ts'
import {
  aFunction,
  checkOptions,
  isWholeNumber,
  type OptionRule,
  readInternals,
} from '../../core/internal.ts'
import { awaitingContinue } from './body.ts'
import { openSockets, orderRequests } from './connection.ts'
import { maxHeadBytes, maxHeaders } from './node-request.ts'
import { respondToUnparsed } from './unparsed.ts'

/** Times are in milliseconds, sizes in bytes. */
const settings = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 72_000,
  maxHeaderSize: maxHeadBytes,
  requireHostHeader: false,
} as const

/** Default of `maxConnections`. A client that pipelines and reads nothing takes up to 140 kB of heap. */
const defaultMaxConnections = 2_500

/** Options of a server that `hardenServer` accepts, for `http.createServer` and `https.createServer`. */
export const serverOptions: Readonly<ServerOptions> = {
  ...settings,
  connectionsCheckingInterval: 2_000,
  ...{ handshakeTimeout: 10_000 }, // of https.createServer only: the type does not have it
}

/**
 * The same options for a server without other routes. From Node 24.12 on, a request without a body takes 5 % less time,
 * and emits no `end`: a handler that waits for `end` never responds.
 */
export const dedicatedServerOptions: Readonly<ServerOptions> = {
  ...serverOptions,
  ...{ optimizeEmptyRequests: true }, // the types of Node 20 do not have it
}

/** Options of `hardenServer`. All have a default. */
export interface HardenOptions {
  /**
   * Maximum number of open connections: from 1, 2,500 by default. Further ones are closed immediately. In a cluster, it
   * counts the connections of one worker. Before Node 22.12, a full worker hands connections to other workers, and they
   * wait without a response if all workers are full.
   */
  readonly maxConnections?: number
  /** Called for each connection that is closed because `maxConnections` are open. */
  readonly onConnectionRefused?: () => void
}

export const hardenRules: Readonly<Record<keyof HardenOptions, OptionRule>> = {
  maxConnections: [(value) => isWholeNumber(value), 'a whole number from 1'],
  onConnectionRefused: aFunction,
}

/**
 * Bounds a server in size and time, and lets the service respond instead of Node: to malformed requests, oversized
 * heads, timeouts, expectations and CONNECT.
 *
 * This changes the whole server, including its other routes:
 * - A head must arrive within 10 seconds and a whole request within 30. A connection without requests closes after 72
 * seconds.
 * - A head has at most 16 KiB and 256 headers. For other routes, Node drops further headers.
 * - `100 Continue` is sent immediately for other routes. Another expectation reaches them: Node would respond with 417.
 * - A request without `Host` reaches other routes: Node would respond with 400.
 * - A connection has at most 64 requests without a response. One more destroys it.
 * - CONNECT gets a 405, unless the server has a `connect` listener of its own.
 *
 * @param server A server of node:http or node:https that was created with `serverOptions` and does not listen yet.
 * @param service The service whose error responses the server sends.
 * @throws {TypeError} The server was created without `serverOptions`, is already listening, is already hardened or is an
 * HTTP/2 server; `service` is not a service; or an option is unknown or invalid.
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
    throw new TypeError('hardenServer requires a server of node:http, and then the service')
  const internals = readInternals(service)
  checkOptions(options, hardenRules)
  const { maxConnections = defaultMaxConnections, onConnectionRefused } = options
  checkServer(server)

  // One more than allowed, so that requests with too many headers can be rejected.
  Object.assign(server, { maxHeadersCount: maxHeaders + 1, maxConnections, dropMaxConnection: true })
  server.on('drop', () => {
    try {
      onConnectionRefused?.()
    } catch (cause) {
      internals.report(cause)
    }
  })
  orderRequests(server)
  respondToExpectations(server, service)
  respondToUnparsed(server, internals)
}

function checkServer(server: Server): void {
  if ('updateSettings' in server)
    throw new TypeError('An HTTP/2 server cannot be hardened: put a proxy in front, and serve HTTP/1.')
  if (openSockets.has(server))
    throw new TypeError('The server is already hardened: one call is enough, also for several services.')
  if (server.listening)
    throw new TypeError('The server is already listening: call hardenServer before server.listen.')
  // A server of Node shows only these two of its options. On other runtimes it shows none.
  const { headersTimeout = settings.headersTimeout, requestTimeout = settings.requestTimeout } = server
  if (headersTimeout !== settings.headersTimeout || requestTimeout !== settings.requestTimeout)
    throw new TypeError('The server has other options: create it with createServer(serverOptions, …).')
}

function respondToExpectations(server: Server, service: PetService): void {
  server.on('checkExpectation', (req, res) => {
    server.emit('request', req, res)
  })
  server.on('checkContinue', (req, res) => {
    if (service.matches(req.url ?? '')) awaitingContinue.add(req)
    else res.writeContinue()
    server.emit('request', req, res)
  })
}

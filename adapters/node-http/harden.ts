import type { Server, ServerOptions } from 'node:http'
import type { ErrorCode, PetService } from '../../core/index.ts'
import { internalsOf } from '../../core/internal.ts'
import { awaitingContinue } from './body.ts'
import { broken, type Connection, reading } from './connection.ts'
import { maxHeadBytes, maxHeaders } from './head.ts'
import { answerLast } from './last-answer.ts'
import { boundPipelining } from './pipelining.ts'

/** What Node reads from a server at any time; times in milliseconds, sizes in bytes. */
const settings = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 72_000,
  maxHeaderSize: maxHeadBytes,
  requireHostHeader: false,
} as const

/** One that pipelines and reads nothing costs up to 220 KiB, all of them less than 512 MB of heap. */
const defaultMaxConnections = 2_500

/** What to create a server with that is to be hardened: it holds one more bound, which Node reads only then. */
export const serverOptions: Readonly<ServerOptions> = { ...settings, connectionsCheckingInterval: 2_000 }

/**
 * The same for a server of this service alone: from Node 24.12 on it spends a twentieth less on a request that has no
 * body, for which `end` is then never emitted. A handler that waits for that would wait for ever.
 */
export const dedicatedServerOptions: Readonly<ServerOptions> = {
  ...serverOptions,
  ...{ optimizeEmptyRequests: true }, // which the types of Node 20 do not know
}

/** What `hardenServer` leaves to you. */
export interface HardenOptions {
  /** How many connections are open at the most, 2,500 by default; more are closed at once. */
  readonly maxConnections?: number
  /** Called for each connection that is closed at once, since `maxConnections` are open. */
  readonly onConnectionRefused?: () => void
}

/** The Errors for what Node cannot parse or does not wait for longer. */
const codes: Readonly<Record<string, ErrorCode>> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
}

/**
 * Bounds a server in size and time, and lets the service answer what Node would answer alone: malformed requests,
 * oversized headers, timeouts, expectations, CONNECT. Call it before the server listens, on one created with `serverOptions`.
 */
export function hardenServer(server: Server, service: PetService, options: HardenOptions = {}): void {
  const { maxConnections = defaultMaxConnections, onConnectionRefused } = options
  // With one header more than is accepted, a request can be seen to have too many.
  Object.assign(server, settings, { maxHeadersCount: maxHeaders + 1, maxConnections })
  if (onConnectionRefused) server.on('drop', () => onConnectionRefused())
  boundPipelining(server)

  server.on('checkExpectation', (req, res) => {
    server.emit('request', req, res)
  })
  server.on('checkContinue', (req, res) => {
    if (service.owns(req.url ?? '')) awaitingContinue.add(req)
    else res.writeContinue()
    server.emit('request', req, res)
  })

  function refuse(socket: Connection, code: ErrorCode, ...headers: readonly string[]): void {
    const answer = internalsOf(service).rejectUnparsed(code, {
      client: socket.remoteAddress,
      header: () => undefined,
    })
    void Promise.resolve(answer).then((ready) =>
      answerLast(socket, { ...ready, headers: [...ready.headers, ...headers] }),
    )
  }

  server.on('clientError', (error: NodeJS.ErrnoException, socket: Connection) => {
    if (socket[broken]) return
    // The rest of a request is not late where it waits to be read.
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && socket[reading]?.isFull()) return
    socket[broken] = true
    if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy()
    else refuse(socket, codes[error.code ?? ''] ?? 'invalid_request')
  })
  server.on('connect', (_req, socket: Connection) => {
    if (server.listenerCount('connect') > 1) return // somebody else makes tunnels
    // Node has let go of the socket.
    socket.on('error', () => socket.destroy()).resume()
    // A tunnel has no methods (RFC 9110, 10.2.1).
    refuse(socket, 'method_not_allowed', 'Allow', '')
  })
}

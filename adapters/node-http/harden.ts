import {
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http'
import type { Duplex } from 'node:stream'
import type { ErrorCode, PetService, ServiceResponse } from '../../core/index.ts'
import { awaitingContinue, lingerMs } from './body.ts'
import { maxHeadBytes, maxHeaders } from './head.ts'

/** What Node reads from a server at any time; times in milliseconds, sizes in bytes. */
const settings = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 72_000,
  maxHeaderSize: maxHeadBytes,
  requireHostHeader: false,
} as const

/** What to create a server with that is to be hardened: it holds one more bound, which Node reads only then. */
export const serverOptions: Readonly<ServerOptions> = { ...settings, connectionsCheckingInterval: 2_000 }

/**
 * The same for a server of this service alone: from Node 24.12 on it spends a twentieth less on a request that has no
 * body, for which `end` is then never emitted. A handler that waits for that would wait for ever.
 */
export const ownServerOptions: Readonly<ServerOptions> = {
  ...serverOptions,
  ...{ optimizeEmptyRequests: true }, // which the types of Node 20 do not know
}

/** What `harden` leaves to you. */
export interface HardenOptions {
  /** How many connections are open at the most; more are closed at once. Without bound by default. */
  readonly maxConnections?: number
}

/** The Errors for what Node cannot parse or does not wait for longer. */
const codes: Readonly<Record<string, ErrorCode>> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
}

const latest = Symbol('the latest response of a connection')
const broken = Symbol('whether what a connection sends cannot be parsed any more')

/** A socket, with what is remembered of it: a WeakMap of sockets costs a tenth of a request in garbage collection. */
interface Connection extends Duplex {
  readonly remoteAddress?: string
  [latest]?: ServerResponse
  [broken]?: true
}

/**
 * Bounds a server in size and time, and lets the service answer what Node would answer alone: malformed requests,
 * oversized headers, timeouts, expectations. Call it before the server listens, on one created with `serverOptions`.
 */
export function harden(server: Server, service: PetService, options: HardenOptions = {}): void {
  // With one header more than is accepted, a request can be seen to have too many.
  Object.assign(server, settings, { maxHeadersCount: maxHeaders + 1 }, options)

  server.on('checkExpectation', (req, res) => {
    server.emit('request', req, res)
  })
  server.on('checkContinue', (req, res) => {
    if (service.owns(req.url ?? '')) awaitingContinue.add(req)
    else res.writeContinue()
    server.emit('request', req, res)
  })

  server.prependListener('request', (req: IncomingMessage & { socket: Connection }, res) => {
    req.socket[latest] = res
  })
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Connection) => {
    if (socket[broken]) return
    socket[broken] = true
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy()
      return
    }
    const code = codes[error.code ?? ''] ?? 'invalid_request'
    const answer = service.refuse(code, { client: socket.remoteAddress, header: () => undefined })
    void Promise.resolve(answer).then((ready) => answerBroken(socket, ready))
  })
}

/**
 * Answers a broken request in its turn, and once: behind the good ones before it, and not where it has its answer already.
 * Then its rest is given up, so that whoever waits for it learns of it: Node no longer does.
 */
function answerBroken(socket: Connection, answer: ServiceResponse): void {
  const res = socket[latest]
  if (!res) {
    writeAndClose(socket, answer)
    return
  }
  const then = (next: () => void) => (res.writableFinished ? next() : res.once('close', next))
  if (res.req.complete) {
    then(() => writeAndClose(socket, answer))
    return
  }
  if (!res.headersSent) {
    const body = answer.body ?? ''
    res.writeHead(answer.status, [...answer.headers, ...closing(body)]).end(body)
  }
  then(() => res.req.destroy())
}

/** Writes an answer where Node has no response object for it. */
function writeAndClose(socket: Duplex, { status, headers, body = '' }: ServiceResponse): void {
  if (!socket.writable) return
  const fields = ['Date', new Date().toUTCString(), ...headers, ...closing(body)]
  let head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n`
  for (let i = 0; i < fields.length; i += 2) head += `${fields[i]}: ${fields[i + 1]}\r\n`
  socket.write(`${head}\r\n`)
  socket.end(body)
  setTimeout(() => socket.destroy(), lingerMs).unref()
}

function closing(body: string): readonly string[] {
  return ['Content-Length', String(Buffer.byteLength(body)), 'Connection', 'close']
}

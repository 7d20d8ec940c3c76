import type { IncomingMessage, Server } from 'node:http'
import { STATUS_CODES } from 'node:http'
import type { ServiceResponse } from '../../core/index.ts'
import { ApiError, type ErrorCode } from '../../core/index.ts'
import type { ServiceInternals } from '../../core/internal.ts'
import { incomingBody, type RequestWithBody } from './body.ts'
import { type Connection, isBroken, latestResponse, slicedReading } from './connection.ts'
import { lingerMs } from './unread-body.ts'

/** The errors for what Node cannot parse or stops waiting for. */
const codes: Readonly<Record<string, ErrorCode>> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
}

/** Lets the service respond to what Node cannot parse or stops waiting for, and to CONNECT. */
export function respondToUnparsed(server: Server, internals: ServiceInternals): void {
  function reject(socket: Connection, error: ApiError): void {
    const peer = { client: socket.remoteAddress, header: () => undefined }
    const response = internals.rejectUnparsed(error, peer)
    void Promise.resolve(response).then((ready) => writeLastResponse(socket, ready))
  }

  server.on('clientError', (error: NodeJS.ErrnoException, socket: Connection) => {
    if (socket[isBroken]) return
    const code = codes[error.code ?? ''] ?? 'invalid_request'
    if (code === 'request_timeout' && socket[slicedReading]?.isFull()) {
      afterAnotherTimeout(server, socket, () => server.emit('clientError', error, socket))
      return
    }
    socket[isBroken] = true
    if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy()
    else if (!failBody(socket, code)) reject(socket, new ApiError(code))
  })
  server.on('connect', (_req: IncomingMessage, socket: Connection) => {
    if (server.listenerCount('connect') > 1) return // another part of the server creates tunnels
    // Node has removed its own listeners from the socket.
    socket.on('error', () => socket.destroy()).resume()
    // An empty Allow: a tunnel has no methods (RFC 9110, 10.2.1).
    const message = 'This service opens no tunnels: send requests to it.'
    reject(socket, new ApiError('method_not_allowed', message, ['Allow', '']))
  })
}

/**
 * Calls `onLate` where the rest of a request is still missing after another `requestTimeout`. The rest is not late while it
 * waits on the connection to be read, but Node reports a late request only once.
 */
function afterAnotherTimeout(server: Server, socket: Connection, onLate: () => void): void {
  const req = socket[latestResponse]?.req
  const isComplete = req?.complete
  const timer = setTimeout(() => {
    if (!socket.destroyed && socket[latestResponse]?.req === req && req?.complete === isComplete) onLate()
  }, server.requestTimeout)
  timer.unref()
}

/**
 * Where the service handles the request that is incomplete, fails its body: the pipeline responds, and has charged the key.
 * Returns whether it does.
 */
function failBody(socket: Connection, code: ErrorCode): boolean {
  const res = socket[latestResponse]
  const req: RequestWithBody | undefined = res?.req
  if (!res || !req?.[incomingBody] || req.complete) return false
  res.shouldKeepAlive = false
  req[incomingBody].fail(code === 'request_timeout' ? code : 'invalid_request')
  endRequestAfterResponse(socket)
  return true
}

/**
 * Writes the last response of a connection, for which Node has no response object: after the responses to the requests
 * before it. Where the broken part is the body of a request, the response is that of the request, unless it has one already.
 */
function writeLastResponse(socket: Connection, response: ServiceResponse): void {
  const res = socket[latestResponse]
  if (!res) {
    writeAndClose(socket, response)
    return
  }
  if (res.req.complete) {
    if (res.writableFinished) writeAndClose(socket, response)
    else res.once('close', () => writeAndClose(socket, response))
    return
  }
  if (!res.headersSent) {
    const body = response.body ?? ''
    res.writeHead(response.status, [...response.headers, ...closingHeaders(body)]).end(body)
  }
  endRequestAfterResponse(socket)
}

/** Destroys the latest request after its response, so that its readers notice: Node does not notify them any more. */
function endRequestAfterResponse({ [latestResponse]: res }: Connection): void {
  if (res?.writableFinished) res.req.destroy()
  else res?.once('close', () => res.req.destroy())
}

function writeAndClose(socket: Connection, { status, headers, body = '' }: ServiceResponse): void {
  if (!socket.writable) return
  const fields = ['Date', new Date().toUTCString(), ...headers, ...closingHeaders(body)]
  let head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n`
  for (let i = 0; i < fields.length; i += 2) head += `${fields[i]}: ${fields[i + 1]}\r\n`
  socket.write(`${head}\r\n`)
  socket.end(body)
  setTimeout(() => socket.destroy(), lingerMs).unref()
}

function closingHeaders(body: string): readonly string[] {
  return ['Content-Length', String(Buffer.byteLength(body)), 'Connection', 'close']
}

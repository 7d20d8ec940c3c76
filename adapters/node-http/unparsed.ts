import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { ServiceResponse } from '../../core/index.ts'
import { ApiError, type ErrorCode } from '../../core/index.ts'
import type { ServiceInternals } from '../../core/internal.ts'
import { incomingBody, type RequestWithBody } from './body.ts'
import { closeAfter, connectionOf } from './connection.ts'
import { lingerMs } from './unread-body.ts'

/** The errors for what Node cannot parse or stops waiting for. */
const codes: Readonly<Record<string, ErrorCode>> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
}

/** Lets the service respond to what Node cannot parse or stops waiting for, and to CONNECT. */
export function respondToUnparsed(server: Server, internals: ServiceInternals): void {
  function reject(socket: Socket, error: ApiError): void {
    const peer = { client: socket.remoteAddress, header: () => undefined }
    const response = internals.rejectUnparsed(error, peer)
    void Promise.resolve(response).then((ready) => writeLastResponse(socket, ready))
  }

  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    const connection = connectionOf(socket)
    if (connection.isBroken || connection.isFull) return
    connection.isBroken = true
    const code = codes[error.code ?? ''] ?? 'invalid_request'
    if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy()
    else if (!failBody(socket, code)) reject(socket, new ApiError(code))
  })
  server.on('connect', (_req: IncomingMessage, socket: Socket) => {
    if (server.listenerCount('connect') > 1) return // another part of the server creates tunnels
    // Node has removed its own listeners from the socket.
    socket.on('error', () => socket.destroy()).resume()
    // An empty Allow: a tunnel has no methods (RFC 9110, 10.2.1).
    const message = 'This service opens no tunnels: send requests to it.'
    reject(socket, new ApiError('method_not_allowed', message, ['Allow', '']))
  })
}

/**
 * Where the service handles the request that is incomplete, fails its body: the pipeline responds, and has charged the
 * key. Returns whether it does.
 */
function failBody(socket: Socket, code: ErrorCode): boolean {
  const res = connectionOf(socket).latest
  const req: RequestWithBody | undefined = res?.req
  if (!res || !req?.[incomingBody] || req.complete) return false
  closeAfter(res)
  req[incomingBody].fail(code === 'request_timeout' ? code : 'invalid_request')
  afterResponse(res, () => req.destroy()) // so that its readers notice: Node does not notify them any more
  return true
}

/**
 * Writes the last response of a connection, for which Node has no response object: after the responses to the requests
 * before it. Where the broken part is the body of a request, the response is that of the request, unless it has one
 * already.
 */
function writeLastResponse(socket: Socket, response: ServiceResponse): void {
  const res = connectionOf(socket).latest
  if (!res) writeAndClose(socket, response)
  else if (res.req.complete) afterResponse(res, () => writeAndClose(socket, response))
  else {
    const { status, headers, body = '' } = response
    if (!res.headersSent) res.writeHead(status, [...headers, ...closingHeaders(body)]).end(body)
    afterResponse(res, () => res.req.destroy()) // likewise
  }
}

function afterResponse(res: ServerResponse, work: () => void): void {
  if (res.writableFinished) work()
  else res.once('close', work)
}

function writeAndClose(socket: Socket, { status, headers, body = '' }: ServiceResponse): void {
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

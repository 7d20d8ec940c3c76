import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { ServiceResponse } from '../../core/index.ts'
import { ApiError, type ErrorCode } from '../../core/index.ts'
import type { ServiceInternals } from '../../core/internal.ts'
import { incomingBody, type RequestWithBody } from './body.ts'
import { closeAfter, getConnection, willCloseAfter } from './connection.ts'
import { http } from './http.ts'
import { lingerMs, writeResponse } from './write-response.ts'

/** Error for each of Node's codes; others are `invalid_request`. */
const codes: Readonly<Record<string, ErrorCode>> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
}

/** Lets the service respond to requests that Node cannot parse or stops waiting for, and to CONNECT. */
export function respondToUnparsed(server: Server, internals: ServiceInternals): void {
  /**
   * Writes the final response of a connection, after the responses to earlier requests. If the error interrupts the body
   * of a request, it is the response to this request, unless that has one already.
   */
  async function respond(socket: Socket, error: ApiError): Promise<void> {
    const { latest } = getConnection(socket)
    const interrupted = latest?.req.complete === false ? latest : undefined
    if (interrupted) {
      closeAfter(interrupted)
      // Node does not notify the readers of the body.
      runAfter(interrupted, () => interrupted.req.destroy())
      const { [incomingBody]: body }: RequestWithBody = interrupted.req
      // The pipeline has charged the key, and responds when its read of the body fails.
      if (body) return body.abandon(error.code === 'request_timeout' ? error.code : undefined)
    }
    const peer = { client: socket.remoteAddress, header: () => undefined }
    const response = await internals.rejectUnparsed(error, peer)
    if (interrupted) writeResponse(interrupted.req, interrupted, response)
    else runAfter(latest, () => writeAndClose(socket, response))
  }

  function reject(socket: Socket, error: ApiError): void {
    respond(socket, error).catch((cause) => {
      internals.report(cause)
      socket.destroy()
    })
  }

  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    const connection = getConnection(socket)
    if (connection.isBroken || isAfterFinal(socket)) return
    connection.isBroken = true
    if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy()
    else reject(socket, new ApiError(codes[error.code ?? ''] ?? 'invalid_request'))
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

/** Returns whether the final request of a connection has arrived. Further bytes are not a request (RFC 9112, 9.6). */
function isAfterFinal(socket: Socket): boolean {
  const { latest, final } = getConnection(socket)
  if (!latest?.req.complete || !socket.writable) return false
  return final !== undefined || willCloseAfter(latest.req, latest)
}

/** Runs work when a response has ended, or immediately without one. */
function runAfter(res: ServerResponse | undefined, work: () => void): void {
  if (!res || res.writableFinished) work()
  else res.once('close', work)
}

function writeAndClose(socket: Socket, { status, rawHeaders, body = '' }: ServiceResponse): void {
  if (!socket.writable) return
  const length = String(Buffer.byteLength(body))
  const date = new Date().toUTCString()
  const fields = ['Date', date, ...rawHeaders, 'Content-Length', length, 'Connection', 'close']
  let head = `HTTP/1.1 ${status} ${http.STATUS_CODES[status]}\r\n`
  for (let i = 0; i < fields.length; i += 2) head += `${fields[i]}: ${fields[i + 1]}\r\n`
  socket.write(`${head}\r\n`)
  socket.end(body)
  setTimeout(() => socket.destroy(), lingerMs).unref()
}

import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import type { ServiceResponse } from '../../core/index.ts'
import { ApiError, type ErrorCode } from '../../core/index.ts'
import type { ServiceInternals } from '../../core/internal.ts'
import { waitForEndOfTurn } from '../event-loop/index.ts'
import { incomingBody, type RequestWithBody } from './body.ts'
import { getConnection, runAfterResponse, setConnectionClose } from './connection.ts'
import { willCloseAfter } from './head.ts'
import { http } from './http.ts'
import { lingerMs, writeResponse } from './write-response.ts'

/** Maps Node's error codes to error codes in the interface. All other errors are an `invalid_request`. */
const errorCodes: Readonly<Record<string, ErrorCode>> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
}

/** Lets the service respond to requests that Node cannot parse or stops waiting for, and to CONNECT. */
export function respondToUnparsed(server: Server, internals: ServiceInternals): void {
  /**
   * Sends an error as the connection's last response. An error in a request's body is the response to that request,
   * unless it already has one.
   */
  async function respond(socket: Socket, error: ApiError): Promise<void> {
    const { latestResponse } = getConnection(socket)
    const interrupted = latestResponse?.req.complete === false ? latestResponse : undefined
    if (interrupted) {
      setConnectionClose(interrupted)
      // Node does not tell the body's readers that the rest is missing.
      runAfterResponse(interrupted, () => interrupted.req.destroy())
      const { [incomingBody]: body }: RequestWithBody = interrupted.req
      // The service has charged the key, and responds when reading the body fails.
      if (body) return body.abandon(error.code === 'request_timeout' ? error.code : undefined)
    }
    const peer = { clientAddress: socket.remoteAddress, header: () => undefined }
    const response = await internals.rejectUnparsed(error, peer)
    if (interrupted) writeResponse(interrupted.req, interrupted, response)
    else runAfterResponse(latestResponse, () => writeAndClose(socket, response))
  }

  function reject(socket: Socket, error: ApiError): void {
    const { currentResponse, waitingRequests } = getConnection(socket)
    const [before = currentResponse, last] = [waitingRequests.at(-2)?.res, waitingRequests.at(-1)?.res]
    const run = () =>
      void respond(socket, error).catch((cause) => {
        internals.reportError(cause)
        socket.destroy()
      })
    // A request whose body is malformed is first passed on, so that its key is charged.
    if (last?.req.complete === false) runAfterResponse(before, () => waitForEndOfTurn().then(run))
    else run()
  }

  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    const connection = getConnection(socket)
    if (connection.hasParseError || isAfterFinalRequest(socket)) return
    connection.hasParseError = true
    if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy()
    else reject(socket, new ApiError(errorCodes[error.code ?? ''] ?? 'invalid_request'))
  })
  server.on('connect', (_req: IncomingMessage, socket: Socket) => {
    if (server.listenerCount('connect') > 1) return // the app handles CONNECT itself
    // Node has removed its own listeners from the socket.
    socket.on('error', () => socket.destroy()).resume()
    // `Allow` is required in a 405, and is empty if no method is allowed (RFC 9110, section 10.2.1).
    const message = 'CONNECT is not supported. Send requests to the service directly.'
    reject(socket, new ApiError('method_not_allowed', message, ['Allow', '']))
  })
}

/**
 * Returns whether the socket's last request has ended the connection. Bytes after it are ignored (RFC 9112, section
 * 9.6).
 */
function isAfterFinalRequest(socket: Socket): boolean {
  const { latestResponse, finalResponse } = getConnection(socket)
  if (!latestResponse?.req.complete || !socket.writable) return false
  return finalResponse !== undefined || willCloseAfter(latestResponse.req, latestResponse)
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

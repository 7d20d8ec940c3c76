import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ServiceResponse } from '../../core/index.ts'
import { awaitingContinue, incomingBody, type RequestWithBody } from './body.ts'
import { closesAfter, connectionOf } from './connection.ts'
import { runSoon } from './run-soon.ts'

/**
 * How often Node checks whether the client has read more of a response, in milliseconds. It closes the connection after
 * two checks in a row without progress: within 30 seconds.
 */
const unreadMs = 15_000

/** A longer text is written as bytes. Node holds three bytes for each character of a text that waits to be sent. */
const longText = 16_384

/** How many bytes of an unread body are received, so that the client can read the response before the end. */
const drainBytes = 262_144

/** How long a client may take to read the response to a request that is not read to its end, in milliseconds. */
export const lingerMs = 1_000

/** The last long text, and its bytes, which responses with it share: many that wait unsent take the memory of one. */
let last: { readonly text: string; readonly bytes: Buffer } = { text: '', bytes: Buffer.alloc(0) }

/**
 * Writes a response of the service: that of `service.authenticate`, or one of your route in the same form. Adds
 * `Content-Length`. If the client goes on sending a long body, the connection closes after the response. A response of
 * more than 16 KiB is written in a later turn of the event loop.
 *
 * @param req The request.
 * @param res Its response. If its headers have been sent, nothing is written.
 * @param response The response to write. `rawHeaders` has names and values in turn.
 * @throws {TypeError} There is no response, as where `await` is missing.
 * @example
 * import { createServer } from 'node:http'
 * import { writeResponse } from 'pet-adoption-service/node'
 *
 * const rawHeaders = ['Content-Type', 'application/json']
 * const server = createServer((req, res) => writeResponse(req, res, { status: 200, rawHeaders, body: '[]' }))
 */
export function writeResponse(req: IncomingMessage, res: ServerResponse, response: ServiceResponse): void {
  if (!response) throw new TypeError('writeResponse requires a response: await service.authenticate')
  const { [incomingBody]: unread }: RequestWithBody = req
  unread?.giveUp()
  const { body: text = '' } = response
  if (text.length > longText) {
    if (last.text !== text) last = { text, bytes: Buffer.from(text) }
    const long = { ...response, body: last.bytes }
    const connection = connectionOf(req.socket)
    connection.finish = () => {
      connection.finish = undefined
      write(req, res, long)
    }
    // Copying many long responses to the system takes long: others are served in between.
    if (req.socket.readableEnded) connection.finish()
    else runSoon(connection.finish)
  } else write(req, res, response)
}

/** A response whose text may be given as bytes. */
type Writable = Omit<ServiceResponse, 'body'> & { readonly body: string | Buffer | undefined }

function write(req: IncomingMessage, res: ServerResponse, response: Writable): void {
  if (res.headersSent) return
  const { status, body, bodyBytes } = response
  const length = bodyBytes ?? Buffer.byteLength(body ?? '')
  const headers =
    body === undefined ? [...response.rawHeaders] : [...response.rawHeaders, 'Content-Length', String(length)]
  if (leavesTooMuchUnread(req, res)) {
    res.writeHead(status, [...headers, 'Connection', 'close']).flushHeaders()
    if (body !== undefined) res.write(body)
    endAfterDraining(req, res)
    // Node copies a page that is known to be ASCII faster as Latin-1: a list of 100 takes a tenth less time.
  } else res.writeHead(status, headers).end(body, bodyBytes === body?.length ? 'latin1' : 'utf8')
  // Node restores its own timeout once everything is sent.
  if (res.writableLength > 0) req.socket.setTimeout(unreadMs)
}

/**
 * Whether more of a body is to come than Node receives after the response. On a connection that it closes, Node
 * receives nothing after the response.
 */
function leavesTooMuchUnread(req: IncomingMessage, res: ServerResponse): boolean {
  if (req.complete) return false
  const { 'content-length': length = '0', 'transfer-encoding': coding } = req.headers
  if (length === '0' && coding === undefined) return false
  return (
    closesAfter(req, res) || awaitingContinue.has(req) || coding !== undefined || Number(length) > drainBytes
  )
}

/**
 * Ends a response whose last byte is written, and closes its connection, once the rest of the request has arrived, is
 * too long, or does not arrive. A connection that closes while bytes arrive loses the response (RFC 9112, 9.6).
 */
function endAfterDraining(req: IncomingMessage, res: ServerResponse): void {
  let left = drainBytes
  const timer = setTimeout(end, lingerMs).unref()
  function end() {
    clearTimeout(timer)
    res.end()
  }
  req.on('data', (chunk: Buffer) => {
    left -= chunk.length
    if (left < 0) end()
  })
  req.once('end', end).once('close', end).resume()
}

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ServiceResponse } from '../../core/index.ts'
import { awaitingContinue, incomingBody, type RequestWithBody } from './body.ts'
import { closeAfter, getConnection, willCloseAfter } from './connection.ts'
import { writeHead } from './write-head.ts'

/**
 * Interval of Node's checks that the client has read more of a response, in milliseconds. It closes the connection
 * after two checks in a row without progress: within 30 seconds.
 */
const unreadMs = 15_000

/** Maximum length of text that Node encodes. It holds three bytes per character until the text is sent. */
const maxTextLength = 16_384

/** Maximum number of bytes of an unread body that are received, so that the client can read the response first. */
const drainBytes = 262_144

/** Minimum number of bytes that a chunk of an unread body counts as: small chunks cost more than their length. */
const chunkBytes = 64

/** Time a client has to read the response to a request that is not read to its end, in milliseconds. */
export const lingerMs = 1_000

/**
 * Writes a response of `service.authenticate`, or a response of your route in the same form. Adds `Content-Length`.
 * Merges `Vary`, `Link` and `Cache-Control` with the values that earlier middleware has set. If the client goes on
 * sending a long body, the connection closes after the response.
 *
 * @param req The request.
 * @param res Its response. If its headers have been sent, nothing is written.
 * @param response The response to write. Its `rawHeaders` are names and values, alternating.
 * @throws {TypeError} `response` is not a response, for example because `await` is missing.
 * @example
 * import { createServer } from 'node:http'
 * import { writeResponse } from 'pet-adoption-service/node'
 *
 * const rawHeaders = ['Content-Type', 'application/json']
 * const server = createServer((req, res) => writeResponse(req, res, { status: 200, rawHeaders, body: '[]' }))
 */
export function writeResponse(req: IncomingMessage, res: ServerResponse, response: ServiceResponse): void {
  if (!response) throw new TypeError('writeResponse requires a response: await service.authenticate')
  const { [incomingBody]: received }: RequestWithBody = req
  received?.abandon()
  if (res.headersSent) return
  const { status, rawHeaders, body, bodyBytes } = response
  if (received?.isFragmented) closeAfter(res)
  const isAscii = bodyBytes === body?.length
  const content = body !== undefined && body.length > maxTextLength && !isAscii ? Buffer.from(body) : body
  const length = bodyBytes ?? Buffer.byteLength(content ?? '')
  const headers = body === undefined ? rawHeaders : [...rawHeaders, 'Content-Length', String(length)]
  if (leavesTooMuchUnread(req, res)) {
    writeHead(res, status, [...headers, 'Connection', 'close'])
    res.flushHeaders()
    if (content !== undefined) res.write(content)
    endAfterDraining(req, res)
  } else {
    writeHead(res, status, headers)
    // Node copies text that is known to be ASCII faster as Latin-1 (-10 % list of 100).
    res.end(content, isAscii ? 'latin1' : 'utf8')
  }
  // Node restores its own timeout once everything is sent.
  if (res.writableLength > 0) req.socket.setTimeout(unreadMs)
}

/** Writes the 500 of a response that could not be written. If that fails too, closes the connection. */
export function writeFailure(req: IncomingMessage, res: ServerResponse, failure: ServiceResponse): void {
  if (res.writableEnded) return
  try {
    if (res.headersSent) res.destroy()
    else writeResponse(req, res, failure)
  } catch {
    res.destroy() // the cause has been reported
  }
}

/**
 * Returns whether the unread rest of a body may be longer than what Node reads after a response: nothing if Node closes
 * the connection then.
 */
function leavesTooMuchUnread(req: IncomingMessage, res: ServerResponse): boolean {
  if (req.complete) return false
  const { 'content-length': length = '0', 'transfer-encoding': coding } = req.headers
  if (length === '0' && coding === undefined) return false
  return (
    willCloseAfter(req, res) ||
    awaitingContinue.has(req) ||
    coding !== undefined ||
    Number(length) > drainBytes
  )
}

/**
 * Ends a response when the rest of its request has arrived, is too long, or does not arrive. A connection that closes
 * while bytes arrive loses the response (RFC 9112, 9.6).
 */
function endAfterDraining(req: IncomingMessage, res: ServerResponse): void {
  let left = drainBytes
  const timer = setTimeout(end, lingerMs).unref()
  function end() {
    clearTimeout(timer)
    res.end()
  }
  if (getConnection(req.socket).isStopped) return
  req.on('data', (chunk: Buffer) => {
    left -= Math.max(chunk.length, chunkBytes)
    if (left < 0) end()
  })
  req.once('end', end).once('close', end).resume()
}

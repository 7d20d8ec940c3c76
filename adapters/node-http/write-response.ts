import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ServiceResponse } from '../../core/index.ts'
import { incomingBody, type RequestWithBody, requestsAwaitingContinue } from './body.ts'
import { setConnectionClose } from './connection.ts'
import { willCloseAfter } from './head.ts'
import { writeHead } from './write-head.ts'

/**
 * How often Node checks that the client reads the response, in milliseconds. It closes the connection after two checks
 * without progress, within 30 s.
 */
const unreadTimeoutMs = 15_000

/**
 * Maximum length of non-ASCII text that is passed to Node as a string, which takes three bytes per character until it
 * is sent.
 */
const maxStringLength = 16_384

/** Maximum number of request bytes to discard, so that the client can read the response first. */
const maxDrainBytes = 262_144

/** Minimum size that each discarded chunk counts for, in bytes. A small chunk costs more than its length. */
const minCountedChunkBytes = 64

/** How long a client has to read the response to a request that is not read to its end, in milliseconds. */
export const lingerMs = 1_000

/**
 * Writes a response from `service.authenticate`, or from your route. Adds `Content-Length`, and merges `Vary`, `Link`
 * and `Cache-Control` with values that earlier middleware has set.
 *
 * @param req The request. If its unread body is too long, the connection closes after the response.
 * @param res The response to write to. Nothing is written if its headers are already sent.
 * @param response Status, `rawHeaders` (alternating names and values), and body.
 * @throws {TypeError} If `response` is missing, for example because `await` is missing.
 *
 * @example
 * import { createServer } from 'node:http'
 * import { writeResponse } from 'pet-adoption-service/node'
 *
 * const rawHeaders = ['Content-Type', 'application/json']
 * const server = createServer((req, res) => writeResponse(req, res, { status: 200, rawHeaders, body: '[]' }))
 */
export function writeResponse(req: IncomingMessage, res: ServerResponse, response: ServiceResponse): void {
  if (!response)
    throw new TypeError('writeResponse() requires a response; await service.authenticate() first')
  const { [incomingBody]: received }: RequestWithBody = req
  if (received && !received.isRead) received.abandon()
  if (res.headersSent) return
  const { status, rawHeaders, body, bodyBytes } = response
  if (received?.isFragmented) setConnectionClose(res)
  const isAscii = bodyBytes === body?.length
  const content = body !== undefined && body.length > maxStringLength && !isAscii ? Buffer.from(body) : body
  const length = bodyBytes ?? Buffer.byteLength(content ?? '')
  const headers = body === undefined ? rawHeaders : [...rawHeaders, 'Content-Length', String(length)]
  if (!req.complete && leavesTooMuchUnread(req, res)) {
    writeHead(res, status, [...headers, 'Connection', 'close'])
    res.flushHeaders()
    if (content !== undefined) res.write(content)
    endAfterDraining(req, res)
  } else {
    writeHead(res, status, headers)
    // Node copies text faster as Latin-1 if it is known to be ASCII (-10 % list of 100).
    res.end(content, isAscii ? 'latin1' : 'utf8')
    if (res.writableLength > 0) limitUnreadTime(req, res)
  }
}

/**
 * Lets Node disconnect a client that does not read its response. Nothing is read from the client in the meantime,
 * because input would restart the timeout. Node restores its own timeout when everything is sent, unless another
 * response follows.
 */
function limitUnreadTime({ socket }: IncomingMessage, res: ServerResponse): void {
  if (!socket?.setTimeout) return // a test double may have no `setTimeout`
  socket.setTimeout(unreadTimeoutMs)
  socket.pause()
  res.once('close', () => {
    if (socket.timeout === unreadTimeoutMs) socket.setTimeout(0)
    socket.resume()
  })
}

/** Writes the error response for a failure, or closes the connection if that is not possible. */
export function writeFailure(req: IncomingMessage, res: ServerResponse, failure: ServiceResponse): void {
  if (res.writableEnded) return
  try {
    if (res.headersSent) res.destroy()
    else writeResponse(req, res, failure)
  } catch {
    res.destroy?.() // `res` may not be a response, which has been reported
  }
}

/**
 * Returns whether the unread body may be longer than what Node discards. Node discards nothing if it closes the
 * connection.
 */
function leavesTooMuchUnread(req: IncomingMessage, res: ServerResponse): boolean {
  const { 'content-length': length = '0', 'transfer-encoding': coding } = req.headers
  if (length === '0' && coding === undefined) return false
  return (
    willCloseAfter(req, res) ||
    requestsAwaitingContinue.has(req) ||
    coding !== undefined ||
    Number(length) > maxDrainBytes
  )
}

/**
 * Ends a response as soon as the request has arrived, exceeds a limit, or takes too long. Closing the connection
 * earlier may lose the response (RFC 9112, section 9.6).
 */
function endAfterDraining(req: IncomingMessage, res: ServerResponse): void {
  let left = maxDrainBytes
  const timer = setTimeout(end, lingerMs).unref()
  function end() {
    clearTimeout(timer)
    if (res.writableEnded) return
    res.end()
    if (res.writableLength > 0) limitUnreadTime(req, res)
  }
  req.on('data', (chunk: Buffer) => {
    left -= Math.max(chunk.length, minCountedChunkBytes)
    if (left < 0) end()
  })
  req.once('end', end).once('close', end).resume()
}

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ServiceResponse } from '../../core/index.ts'
import { incomingBody, type RequestWithBody } from './body.ts'
import { endAfterDraining, leavesTooMuchUnread } from './unread-body.ts'

/**
 * How often Node checks whether the client has read more of a response, in milliseconds. It closes the connection after
 * two checks in a row without progress: within 30 seconds.
 */
const unreadMs = 15_000

/** A longer text is written as bytes. Node holds three bytes for each character of a text that waits to be sent. */
const longText = 16_384

/** Whether the text of a response is written as bytes. */
export function isLong(text: string | undefined): text is string {
  return text !== undefined && text.length > longText
}

/** The last long text, and its bytes, which responses with it share: many that wait unsent take the memory of one. */
let last: { readonly text: string; readonly bytes: Buffer } = { text: '', bytes: Buffer.alloc(0) }

/** Returns a long text and its bytes, those of the last one where it is the same. */
export function shared(text: string): { readonly text: string; readonly bytes: Buffer } {
  if (last.text !== text) last = { text, bytes: Buffer.from(text) }
  return last
}

/**
 * Writes a response of the service: that of `service.authorize`, or one of your route in the same form. Adds
 * `Content-Length`. If the client goes on sending a long body, the connection closes after the response.
 *
 * @param req The request.
 * @param res Its response. If its headers have been sent, nothing is written.
 * @param response The response to write. Its headers are names and values in turn.
 * @throws {TypeError} There is no response, as where `await` is missing.
 * @example
 * import { createServer } from 'node:http'
 * import { writeResponse } from 'pet-adoption-service/node'
 *
 * const headers = ['Content-Type', 'application/json']
 * const server = createServer((req, res) => writeResponse(req, res, { status: 200, headers, body: '[]' }))
 */
export function writeResponse(req: IncomingMessage, res: ServerResponse, response: ServiceResponse): void {
  if (!response) throw new TypeError('writeResponse requires a response: await service.authorize')
  const { [incomingBody]: unread }: RequestWithBody = req
  unread?.drop()
  if (res.headersSent) return
  const { status, body: text, bodyBytes } = response
  const length = bodyBytes ?? Buffer.byteLength(text ?? '')
  const headers =
    text === undefined ? [...response.headers] : [...response.headers, 'Content-Length', String(length)]
  const body = isLong(text) ? shared(text).bytes : text
  if (leavesTooMuchUnread(req, res)) {
    res.writeHead(status, [...headers, 'Connection', 'close']).flushHeaders()
    if (body !== undefined) res.write(body)
    endAfterDraining(req, res)
    // Node copies a page that is known to be ASCII faster as Latin-1: a list of 100 takes a tenth less time.
  } else res.writeHead(status, headers).end(body, bodyBytes === body?.length ? 'latin1' : 'utf8')
  // Node restores its own timeout once everything is sent.
  if (res.writableLength > 0) req.socket.setTimeout(unreadMs)
}

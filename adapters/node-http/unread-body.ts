import type { IncomingMessage, ServerResponse } from 'node:http'
import { awaitingContinue } from './body.ts'
import { closesAfter } from './connection.ts'

/** How many bytes of an unread body are received, so that the client can read the response before the end. */
const drainBytes = 262_144

/** How long a client may take to read the response to a request that is not read to its end, in milliseconds. */
export const lingerMs = 1_000

/**
 * Whether more of a body is to come than Node receives after the response. On a connection that it closes, Node
 * receives nothing after the response.
 */
export function leavesTooMuchUnread(req: IncomingMessage, res: ServerResponse): boolean {
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
export function endAfterDraining(req: IncomingMessage, res: ServerResponse): void {
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

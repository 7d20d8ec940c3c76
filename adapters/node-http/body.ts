import type { IncomingMessage, ServerResponse } from 'node:http'
import { BodyFailure } from '../../core/index.ts'

/** How much of a body that nobody reads is taken in, so that its sender lives to read the answer. */
const drainBytes = 262_144

/** How long a peer may take to read the answer to a request that is not read to its end, in milliseconds. */
export const lingerMs = 1_000

/** The requests that wait for `100 Continue` before they send a body (RFC 9110, 10.1.1). */
export const awaitingContinue: WeakSet<IncomingMessage> = new WeakSet()

/** Reads a body, and only now tells a sender that waits to go on. */
export function readBody(req: IncomingMessage, res: ServerResponse, maxBytes: number): Promise<Uint8Array> {
  if (req.headers['content-length'] === undefined && req.headers['transfer-encoding'] === undefined)
    return Promise.resolve(new Uint8Array())
  if (req.readableEnded) {
    return Promise.reject(
      new Error('The body has been read already: mount the service in front of body parsers.'),
    )
  }
  if (req.destroyed) return Promise.reject(new BodyFailure('invalid_request'))
  if (awaitingContinue.delete(req)) res.writeContinue()
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    req.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size <= maxBytes) chunks.push(chunk)
      else reject(new BodyFailure('body_too_large'))
    })
    // each comes but once; `once` would cost two objects more
    req.on('end', () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)))
    req.on('close', () => {
      if (!req.readableEnded) reject(new BodyFailure('invalid_request'))
    })
  })
}

/** Whether more of a body is to come than Node takes in after the answer: it takes none on a connection that it closes. */
export function leavesTooMuchUnread(req: IncomingMessage, res: ServerResponse): boolean {
  const { 'content-length': length = '0', 'transfer-encoding': coding } = req.headers
  if (req.complete || (length === '0' && coding === undefined)) return false
  return (
    !res.shouldKeepAlive || awaitingContinue.has(req) || coding !== undefined || Number(length) > drainBytes
  )
}

/**
 * Ends an answer that is written to its last byte, and with it the connection, only when the rest of the request is in,
 * is too much or does not come: a connection that is closed while bytes arrive takes the answer with it (RFC 9112, 9.6).
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

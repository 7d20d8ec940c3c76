import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ServiceRequest } from '../../core/index.ts'

/** Maximum size of a request head, in bytes. */
export const maxHeadBytes = 16_384

/** Maximum number of headers in a request. */
export const maxHeaderCount = 256

/** Up to this many headers, the bytes that Node does not count are negligible. */
const maxUncountedHeaders = 64

/** Returns whether the headers announce a body. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
}

/** Returns the error in a head that Node accepts and the service rejects, or `undefined` if there is none. */
export function findHeadError(req: IncomingMessage): ServiceRequest['headError'] {
  const entries = req.rawHeaders?.length ?? 0 // a serverless bridge or a test double may have no `rawHeaders`
  if (
    entries > 2 * maxHeaderCount ||
    (entries > 2 * maxUncountedHeaders && countHeadBytes(req) > maxHeadBytes)
  )
    return 'headers_too_large'
  // Proxies disagree about where the body of such a request ends (RFC 9112, section 6.1).
  if (req.httpVersion === '1.0' && req.headers['transfer-encoding'] !== undefined) return 'invalid_request'
  return undefined
}

/** Returns a head's size in bytes. Node's limit does not include colons and line ends. */
export function countHeadBytes({ method = '', url = '', rawHeaders }: IncomingMessage): number {
  let bytes = `${method} ${url} HTTP/1.1\r\n\r\n`.length
  for (const part of rawHeaders) bytes += part.length + 2
  return bytes
}

/**
 * Estimates the memory that a parsed head needs, in bytes. A name or value takes at least 48 bytes. A name that is a
 * number below 1,024 takes 12 KiB, because V8 stores it as an array index.
 */
export function estimateHeadMemory({ url = '', rawHeaders }: IncomingMessage): number {
  let bytes = url.length
  for (const [i, part] of rawHeaders.entries()) {
    const isIndex = i % 2 === 0 && part.length <= 4 && Number(part) < 1_024
    bytes += isIndex ? 12_288 : Math.max(part.length, 48)
  }
  return bytes
}

/**
 * Returns whether the connection must close after a valid request. Node drops bytes that follow an `Upgrade` in the
 * same read, and parses a later body as a request. With another transfer coding than `chunked`, proxies disagree about
 * where the body ends (RFC 9112, section 6.1).
 */
export function endsConnection({ headers }: IncomingMessage): boolean {
  const { upgrade, 'transfer-encoding': coding = 'chunked' } = headers
  return upgrade !== undefined || coding.toLowerCase() !== 'chunked'
}

/** Returns whether Node closes the connection after a response. */
export function willCloseAfter({ headers, httpVersion }: IncomingMessage, res: ServerResponse): boolean {
  if (res.getHeader('connection') === 'close') return true
  const { connection = '' } = headers
  return httpVersion === '1.0' ? !/\bkeep-alive\b/i.test(connection) : /\bclose\b/i.test(connection)
}

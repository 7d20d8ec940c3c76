import type { IncomingMessage } from 'node:http'
import type { ErrorCode } from '../../core/index.ts'

/** The most bytes of a request line and its headers. */
export const maxHeadBytes = 16_384

/** The most headers of a request. */
export const maxHeaders = 256

/** So few headers cannot hold much that Node has not counted. */
const fewHeaders = 64

/** What makes a head that Node has parsed one that nothing is done with: the connection is to be closed behind it. */
export function headFault(req: IncomingMessage): ErrorCode | undefined {
  const entries = req.rawHeaders.length
  if (entries > 2 * maxHeaders || (entries > 2 * fewHeaders && headBytes(req) > maxHeadBytes))
    return 'headers_too_large'
  // Proxies differ in where the body of such a request ends (RFC 9112, 6.1).
  if (req.httpVersionMinor === 0 && req.headers['transfer-encoding'] !== undefined) return 'invalid_request'
  return undefined
}

/** Counts what Node's own bound leaves out, the colons and line ends of the headers. */
function headBytes({ method = '', url = '', rawHeaders }: IncomingMessage): number {
  let bytes = `${method} ${url} HTTP/1.1\r\n\r\n`.length
  for (const part of rawHeaders) bytes += part.length + 2
  return bytes
}

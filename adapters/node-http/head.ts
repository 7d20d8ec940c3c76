import type { IncomingMessage } from 'node:http'
import type { ServiceRequest } from '../../core/index.ts'

/** The maximum size of a request line and its headers, in bytes. */
export const maxHeadBytes = 16_384

/** The maximum number of headers of a request. */
export const maxHeaders = 256

/** With at most so many headers, the bytes that Node does not count are negligible. */
const fewHeaders = 64

/** Returns the error of a head that Node accepts and the service does not. The connection closes after the response. */
export function headError(req: IncomingMessage): ServiceRequest['headError'] {
  const entries = req.rawHeaders.length
  if (entries > 2 * maxHeaders || (entries > 2 * fewHeaders && headBytes(req) > maxHeadBytes))
    return 'headers_too_large'
  // Proxies disagree about where the body of such a request ends (RFC 9112, 6.1).
  if (req.httpVersion === '1.0' && req.headers['transfer-encoding'] !== undefined) return 'invalid_request'
  return undefined
}

/** Returns the size of a head. Node's own bound does not count the colons and line ends of the headers. */
function headBytes({ method = '', url = '', rawHeaders }: IncomingMessage): number {
  let bytes = `${method} ${url} HTTP/1.1\r\n\r\n`.length
  for (const part of rawHeaders) bytes += part.length + 2
  return bytes
}

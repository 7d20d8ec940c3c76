import { ApiError } from './errors.ts'
import type { ServiceRequest } from './http.ts'
import type { Target } from './target.ts'

/**
 * A host, which may be empty, with an optional port (RFC 9110, 7.2). Repeated headers do not match, because they are
 * joined by a comma.
 */
const hostPattern = /^(?:[\w\-.~!$&'()*+;=%]*|\[[\da-f:.]+\])(?::\d*)?$/i

/**
 * Returns the error for a request that is not valid HTTP or has an unsupported expectation, or `undefined` for a valid
 * request.
 */
export function findHttpError(request: ServiceRequest, target: Target | undefined): ApiError | undefined {
  if (request.headError) return new ApiError(request.headError)
  if (!target && !(request.target === '*' && request.method === 'OPTIONS')) {
    return new ApiError('invalid_request', 'The request target must be a path or a URL.')
  }
  const host = request.header('host')
  if (host === undefined ? request.httpVersion === '1.1' : !hostPattern.test(host)) {
    return new ApiError('invalid_request', 'Send one Host header, such as "Host: example.com:80".')
  }
  const coding = request.httpVersion && request.header('transfer-encoding')
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') {
    return new ApiError('invalid_request', 'Omit Transfer-Encoding, or send "Transfer-Encoding: chunked".')
  }
  const expectation = request.header('expect')
  if (expectation === undefined || /^100-continue$/i.test(expectation) || request.httpVersion === '1.0') {
    return undefined
  }
  return new ApiError('expectation_failed')
}

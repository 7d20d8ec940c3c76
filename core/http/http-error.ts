import { ApiError } from './errors.ts'
import type { ServiceRequest } from './http.ts'
import type { Target } from './target.ts'

/** A host, which may be empty, and an optional port (RFC 9110, 7.2). A repeated header is joined by a comma, which does not match. */
const hostField = /^(?:[\w\-.~!$&'()*+;=%]*|\[[\da-f:.]+\])(?::\d*)?$/i

/** Returns the error of a request that HTTP itself does not allow. */
export function findHttpError(request: ServiceRequest, target: Target | undefined): ApiError | undefined {
  if (request.headError) return new ApiError(request.headError)
  if (!target && !(request.target === '*' && request.method === 'OPTIONS')) {
    return new ApiError('invalid_request', 'The target must be a path or a URL.')
  }
  const host = request.header('host')
  if (host === undefined ? request.httpVersion === '1.1' : !hostField.test(host)) {
    return new ApiError('invalid_request', 'Send one Host, such as example.com:80.')
  }
  const coding = request.httpVersion && request.header('transfer-encoding')
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') {
    return new ApiError('invalid_request', 'Use no transfer coding but chunked.')
  }
  const expectation = request.header('expect')
  if (expectation === undefined || /^100-continue$/i.test(expectation) || request.httpVersion === '1.0') {
    return undefined
  }
  return new ApiError('expectation_failed')
}

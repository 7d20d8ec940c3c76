import { type JsonDocument, parseJson } from '../base/json.ts'
import { ApiError } from './errors.ts'
import type { ServiceRequest } from './http.ts'

/** Returns the error of a body that can be rejected before it is read: for its media type, then for its size. */
export function findBodyError(request: ServiceRequest, maxBytes: number): ApiError | undefined {
  const type = request.header('content-type') || 'application/json'
  const coding = request.header('content-encoding') || 'identity'
  // +5 to 10 % CPU time of `core createPet` on Node without the comparison.
  if ((type !== 'application/json' && !isJson(type)) || coding.toLowerCase() !== 'identity')
    return new ApiError('unsupported_media_type')
  return Number(request.header('content-length')) > maxBytes ? createBodyTooLarge(maxBytes) : undefined
}

/** Parses the bytes of a JSON body. */
export function parseJsonBody(bytes: Uint8Array, maxBytes: number): JsonDocument | ApiError {
  if (bytes.length > maxBytes) return createBodyTooLarge(maxBytes)
  if (bytes.length === 0) return new ApiError('invalid_json', 'The body is missing. Send a NewPet as JSON.')
  return parseJson(bytes) ?? new ApiError('invalid_json')
}

const parameter = /;\s*([^\s=;]+)\s*=\s*("(?:[^"\\]|\\.)*"|[^;]*)/g

/** Returns whether a body is declared as JSON in UTF-8. */
function isJson(contentType: string): boolean {
  const [type = ''] = contentType.split(';', 1)
  if (type.trim().toLowerCase() !== 'application/json') return false
  for (const [, name = '', value = ''] of contentType.matchAll(parameter)) {
    if (name.toLowerCase() === 'charset' && !/^(?:utf-8|"utf-8")$/i.test(value.trim())) return false
  }
  return true
}

/** Returns the error of a body that is too long. */
export function createBodyTooLarge(maxBytes: number): ApiError {
  return new ApiError('body_too_large', `The body must be at most ${maxBytes} bytes long.`)
}

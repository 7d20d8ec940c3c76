import { Fault } from './errors.ts'
import type { ServiceRequest } from './http.ts'
import { type JsonDocument, parseJson } from './json.ts'
import { chain, type MaybePromise } from './maybe-promise.ts'

/** Reads the JSON body of a request. Its faults come in this order: media type, size, body. */
export function readJsonBody(request: ServiceRequest, maxBytes: number): MaybePromise<JsonDocument | Fault> {
  if (!isJson(request.header('content-type')) || !isIdentity(request.header('content-encoding'))) {
    return new Fault('unsupported_media_type')
  }
  if (Number(request.header('content-length')) > maxBytes) return tooLarge(maxBytes)
  return chain(request.body(maxBytes), (bytes) => {
    if (bytes.length > maxBytes) return tooLarge(maxBytes)
    if (bytes.length === 0) return new Fault('invalid_json', 'The body is missing. Send a NewPet as JSON.')
    return parseJson(bytes) ?? new Fault('invalid_json')
  })
}

const parameter = /;\s*([^\s=;]+)\s*=\s*("(?:[^"\\]|\\.)*"|[^;]*)/g

/** Whether a body is declared as JSON in UTF-8. One that is not declared counts as such. */
function isJson(contentType: string | undefined): boolean {
  if (!contentType || contentType === 'application/json') return true
  const [type = ''] = contentType.split(';', 1)
  if (type.trim().toLowerCase() !== 'application/json') return false
  for (const [, name = '', value = ''] of contentType.matchAll(parameter)) {
    if (name.toLowerCase() === 'charset' && !/^(?:utf-8|"utf-8")$/i.test(value.trim())) return false
  }
  return true
}

function isIdentity(contentEncoding: string | undefined): boolean {
  return !contentEncoding || contentEncoding.toLowerCase() === 'identity'
}

function tooLarge(maxBytes: number): Fault {
  return new Fault('body_too_large', `The body must be at most ${maxBytes} bytes long.`)
}

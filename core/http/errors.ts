import { brandOf, setBrand } from '../base/brand.ts'
import { deepFreeze } from '../base/frozen.ts'

/** The values of the `code` of an Error (spec 7). There are no others. */
export type ErrorCode =
  | 'invalid_request'
  | 'invalid_json'
  | 'invalid_pet'
  | 'invalid_parameter'
  | 'missing_api_key'
  | 'invalid_api_key'
  | 'pet_not_found'
  | 'route_not_found'
  | 'method_not_allowed'
  | 'request_timeout'
  | 'operation_removed'
  | 'body_too_large'
  | 'unsupported_media_type'
  | 'expectation_failed'
  | 'rate_limit_exceeded'
  | 'api_key_banned'
  | 'headers_too_large'
  | 'internal_error'
  | 'service_unavailable'
  | 'invalid_idempotency_key'
  | 'idempotency_key_in_use'
  | 'idempotency_key_reused'

/**
 * Every error of the interface (spec 7), by its code: the status, and the message that is sent if there is no more precise one.
 *
 * @example
 * import { errors } from 'pet-adoption-service'
 *
 * const [status, message] = errors.pet_not_found // 404, 'There is no animal with this id.'
 */
export const errors: Readonly<Record<ErrorCode, readonly [status: number, message: string]>> = deepFreeze({
  invalid_request: [400, 'This is not valid HTTP: check the request line, Host and framing.'],
  invalid_json: [400, 'The body must be a JSON document in UTF-8.'],
  invalid_pet: [400, 'The body is not a valid NewPet.'],
  invalid_parameter: [400, 'A query parameter is invalid.'],
  missing_api_key: [401, 'Send your key: "Authorization: Bearer <API_KEY>".'],
  invalid_api_key: [401, 'The key is not valid: check it, or ask for a new one.'],
  pet_not_found: [404, 'There is no animal with this id.'],
  route_not_found: [404, 'Nothing is at this path.'],
  method_not_allowed: [405, 'Use a method that the Allow header lists.'],
  request_timeout: [408, 'The request took too long to arrive. Send it again.'],
  operation_removed: [410, 'This operation was removed. Use GET /pets with the status filter.'],
  body_too_large: [413, 'The body is too large.'],
  unsupported_media_type: [415, 'Send application/json in UTF-8, without Content-Encoding.'],
  expectation_failed: [417, 'Send no Expect, or "Expect: 100-continue".'],
  rate_limit_exceeded: [429, 'Too many requests. Wait for the seconds in Retry-After.'],
  api_key_banned: [429, 'Banned for requests after a 429. Wait for the seconds in Retry-After.'],
  headers_too_large: [431, 'Send fewer or shorter headers.'],
  internal_error: [500, 'The service failed. Try again later.'],
  service_unavailable: [503, 'The service is unavailable. Wait for the seconds in Retry-After.'],
  invalid_idempotency_key: [
    400,
    'Send one Idempotency-Key: 1 to 255 visible ASCII characters other than " and \\.',
  ],
  idempotency_key_in_use: [409, 'This Idempotency-Key is in use. Wait for the seconds in Retry-After.'],
  idempotency_key_reused: [422, 'This Idempotency-Key came with another body. Send a new one.'],
})

/**
 * An error response as a value: a request that cannot be served, or a part that failed. It is returned, not thrown.
 *
 * @example
 * import { ApiError, parseNewPet } from 'pet-adoption-service'
 *
 * const pet = parseNewPet(new TextEncoder().encode('{"name":"Mia"}'))
 * if (pet instanceof ApiError) console.log(pet.status, pet.message) // 400, '… "categoryId" is required.'
 */
export class ApiError {
  /** Machine-readable: one of `errors`. */
  readonly code: ErrorCode
  /** The HTTP status. */
  readonly status: number
  /** What is wrong and what to do next, for a person. */
  readonly message: string
  /** The headers that this error adds to a response: names and values in turn. */
  readonly headers: readonly string[]

  /** `message` is that of the code by default; `headers` is empty by default. */
  constructor(code: ErrorCode, message?: string, headers: readonly string[] = []) {
    const [status, defaultMessage] = errors[code]
    this.code = code
    this.status = status
    this.message = message ?? defaultMessage
    this.headers = headers
  }

  /** Returns the Error body (spec 2). Its `status` equals that of the response (spec 7, rule 1). */
  toJson(): string {
    return JSON.stringify({ code: this.code, message: this.message, status: this.status })
  }
}

setBrand(ApiError, 'ApiError')

/** Whether a value is an `ApiError`, also one of another copy of this package. */
export function isApiError(value: unknown): value is ApiError {
  return brandOf(value) === 'ApiError'
}

/** The closed set of values of an Error's `code`. */
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

/** Every error that the service answers with: one row per code (spec 7), with the message where no better one is known. */
export const errors: Readonly<Record<ErrorCode, readonly [status: number, message: string]>> = {
  invalid_request: [
    400,
    'The request is not valid HTTP. Check the request line, the Host header and the framing.',
  ],
  invalid_json: [400, 'The body must be a JSON document in UTF-8.'],
  invalid_pet: [400, 'The body is not a valid NewPet.'],
  invalid_parameter: [400, 'A query parameter is invalid.'],
  missing_api_key: [401, 'Send your API key in the header "Authorization: Bearer <API_KEY>".'],
  invalid_api_key: [401, 'The API key is not valid. Check it for typing errors, or ask for a new one.'],
  pet_not_found: [404, 'There is no animal with this id.'],
  route_not_found: [404, 'There is nothing at this path.'],
  method_not_allowed: [
    405,
    'This path does not take this method. The Allow header lists those that it takes.',
  ],
  request_timeout: [408, 'The request took too long to arrive. Send it again, on a faster connection.'],
  operation_removed: [410, 'This operation has been removed. Use GET /pets with the status filter instead.'],
  body_too_large: [413, 'The body is larger than this service accepts.'],
  unsupported_media_type: [415, 'Send the body as application/json in UTF-8, without a content encoding.'],
  expectation_failed: [417, 'The only expectation that this service can meet is "Expect: 100-continue".'],
  rate_limit_exceeded: [429, 'Too many requests. Wait for the seconds in Retry-After before trying again.'],
  api_key_banned: [
    429,
    'Refused for a time, since requests went on after a 429. Wait for the seconds in Retry-After.',
  ],
  headers_too_large: [431, 'The request line and the headers are larger than this service accepts.'],
  internal_error: [500, 'The service failed to answer. Nothing is known to be wrong with the request.'],
  service_unavailable: [503, 'The service cannot answer for now. Wait for the seconds in Retry-After.'],
}

/** A client's request that cannot be served as it is, or a part that failed: it becomes an Error answer. */
export class ApiError {
  readonly code: ErrorCode
  readonly status: number
  readonly message: string
  /** Headers that this error adds: names and values in turn. */
  readonly headers: readonly string[]

  /** `message` tells the caller what to do next; the code's own one by default. */
  constructor(code: ErrorCode, message?: string, headers: readonly string[] = []) {
    const [status, ownMessage] = errors[code]
    this.code = code
    this.status = status
    this.message = message ?? ownMessage
    this.headers = headers
  }

  /** The Error body (spec 2): its `status` equals that of the response (spec 7, rule 1). */
  toJson(): string {
    return JSON.stringify({ code: this.code, message: this.message, status: this.status })
  }
}

import type { ErrorCode } from '../http/errors.ts'
import { errors } from '../index.ts'
import { createErrorBody, findSchema, type JsonObject } from './schemas.ts'

/**
 * The headers that a response may have with any operation. The interface requires those about the limit; the others are
 * this service's own.
 */
export const commonHeaders: JsonObject = {
  'X-RateLimit-Limit': header('The limit that applies to the caller', 60),
  'X-RateLimit-Remaining': header('Requests remaining in the current window', 59),
  'X-RateLimit-Reset': header('Unix timestamp at which the limit resets', 1_795_132_860),
  'Cache-Control': header('No cache stores the response', 'no-store', false),
  'X-Content-Type-Options': header('Browsers do not guess the type of the body', 'nosniff', false),
  'Retry-After': retryAfter(false),
  'WWW-Authenticate': header('How to authenticate', 'Bearer realm="pet-adoption-service"', false),
}

/** The statuses of the responses with a header, unless every response has it. */
const statusesWith: Readonly<Record<string, readonly number[]>> = {
  'Retry-After': [409, 429, 503],
  'WWW-Authenticate': [401],
}

/** Returns the header of the time to wait, which the interface requires of a 429. */
function retryAfter(required: boolean): JsonObject {
  return header('Seconds to wait before the next request', 12, required)
}

/** Returns a header with the type of its example. */
export function header(description: string, example: string | number, required = true): JsonObject {
  const type = typeof example === 'string' ? 'string' : 'integer'
  return { description, required, schema: { type }, example }
}

/** Returns a response with a body in JSON, if it has one, the headers of its status and the headers of its operation. */
export function response(
  status: number,
  description: string,
  content: JsonObject | undefined,
  operationHeaders: JsonObject,
): JsonObject {
  const names = Object.keys(commonHeaders).filter((name) => statusesWith[name]?.includes(status) ?? true)
  const common = names.map((name) => [name, { $ref: `#/components/headers/${name}` }])
  return {
    description,
    headers: {
      ...Object.fromEntries(common),
      ...(status === 429 && { 'Retry-After': retryAfter(true) }),
      ...operationHeaders,
    },
    ...(content && { content: { 'application/json': content } }),
  }
}

/** Returns the Error responses of an operation, by status. */
export function describeErrors(codes: readonly ErrorCode[], operationHeaders: JsonObject): JsonObject {
  const statuses = new Set(codes.map((code) => errors[code].status))
  const described = [...statuses].map((status) => {
    const here = codes.filter((code) => errors[code].status === status)
    const examples = Object.fromEntries(here.map((code) => [code, { value: createErrorBody(code) }]))
    const content = { schema: findSchema('Error'), examples }
    return [status, response(status, here.join(', '), content, operationHeaders)]
  })
  return Object.fromEntries(described)
}

import type { ErrorCode } from '../http/errors.ts'
import { errors } from '../index.ts'
import { createErrorBody, createSchemaReference, type JsonObject } from './schemas.ts'

/**
 * Headers that any operation may send. The interface requires the rate limit headers. The others are specific to this
 * service.
 */
export const sharedHeaders: JsonObject = {
  'X-RateLimit-Limit': describeHeader('The limit that applies to the caller', 60),
  'X-RateLimit-Remaining': describeHeader('Requests remaining in the current window', 59),
  'X-RateLimit-Reset': describeHeader('Unix timestamp at which the limit resets', 1_795_132_860),
  'Cache-Control': describeHeader('Prevents caches from storing the response', 'no-store', false),
  'X-Content-Type-Options': describeHeader(
    'Prevents browsers from guessing the media type',
    'nosniff',
    false,
  ),
  'Retry-After': describeRetryAfter(false),
  'WWW-Authenticate': describeHeader(
    'The authentication scheme that the service requires',
    'Bearer realm="pet-adoption-service"',
    false,
  ),
}

/** Headers that are sent only with certain statuses. */
const statusesByHeader: Readonly<Record<string, readonly number[]>> = {
  'Retry-After': [409, 429, 503],
  'WWW-Authenticate': [401],
}

function describeRetryAfter(required: boolean): JsonObject {
  return describeHeader('Seconds to wait before the next request', 12, required)
}

/** Creates a header object. The example determines its type. */
export function describeHeader(description: string, example: string | number, required = true): JsonObject {
  const schemaType = typeof example === 'string' ? 'string' : 'integer'
  return { description, required, schema: { type: schemaType }, example }
}

/** Creates a response object with its headers. */
export function describeResponse(
  status: number,
  description: string,
  content: JsonObject | undefined,
  operationHeaders: JsonObject,
): JsonObject {
  const names = Object.keys(sharedHeaders).filter((name) => statusesByHeader[name]?.includes(status) ?? true)
  const commonHeaders = names.map((name) => [name, { $ref: `#/components/headers/${name}` }])
  return {
    description,
    headers: {
      ...Object.fromEntries(commonHeaders),
      ...(status === 429 && { 'Retry-After': describeRetryAfter(true) }),
      ...operationHeaders,
    },
    ...(content && { content: { 'application/json': content } }),
  }
}

/** Creates a response object for each status, with an example for each error code. */
export function describeErrors(codes: readonly ErrorCode[], operationHeaders: JsonObject): JsonObject {
  const statuses = new Set(codes.map((code) => errors[code].status))
  const describedResponses = [...statuses].map((status) => {
    const codesWithStatus = codes.filter((code) => errors[code].status === status)
    const examples = Object.fromEntries(
      codesWithStatus.map((code) => [code, { value: createErrorBody(code) }]),
    )
    const content = { schema: createSchemaReference('Error'), examples }
    return [status, describeResponse(status, codesWithStatus.join(', '), content, operationHeaders)]
  })
  return Object.fromEntries(describedResponses)
}

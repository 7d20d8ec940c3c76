import type { ErrorCode, OperationId } from '../index.ts'
import type { OpenApiContent, OpenApiHeader, OpenApiResponse, OpenApiSchemas } from './document.ts'
import { errorBodies, idempotencyErrors, toSchema } from './schemas.ts'

/** The errors that some operations return, or none; several operations may return one error. Every operation may return the others. */
const errorsOfSome: Readonly<Record<OperationId | 'none', readonly ErrorCode[]>> = {
  listPets: ['invalid_parameter'],
  createPet: [
    'invalid_json',
    'invalid_pet',
    'body_too_large',
    'unsupported_media_type',
    ...idempotencyErrors,
  ],
  getPet: ['pet_not_found', 'operation_removed'],
  none: ['route_not_found', 'method_not_allowed'],
}

/** The headers that a response may have with any operation. */
export const commonHeaders: Readonly<Record<string, OpenApiHeader>> = {
  'X-RateLimit-Limit': header('The limit that applies to the caller', 60),
  'X-RateLimit-Remaining': header('Requests remaining in the current window', 59),
  'X-RateLimit-Reset': header('Unix timestamp at which the limit resets', 1_795_132_860),
  'Cache-Control': header('No cache stores the response', 'no-store'),
  'X-Content-Type-Options': header('Browsers do not guess the type of the body', 'nosniff'),
  'Retry-After': header('Seconds to wait before the next request', 12),
  'WWW-Authenticate': header('How to authenticate', 'Bearer realm="pet-adoption-service"'),
}

/** The headers of every response, and those of one status. */
const always = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'Cache-Control',
  'X-Content-Type-Options',
]
const withStatus: Readonly<Record<number, readonly string[]>> = {
  401: ['WWW-Authenticate'],
  409: ['Retry-After'],
  429: ['Retry-After'],
  503: ['Retry-After'],
}

/** Returns a header whose type is that of its example. */
export function header(description: string, example: string | number, required = true): OpenApiHeader {
  return {
    description,
    required,
    schema: { type: typeof example === 'string' ? 'string' : 'integer' },
    example,
  }
}

/** Returns a response with the headers of its status and those of its operation; without content if it is undefined. */
export function response(
  status: number,
  description: string,
  content: OpenApiContent | undefined,
  operationHeaders: OpenApiResponse['headers'],
): OpenApiResponse {
  const names = [...always, ...(withStatus[status] ?? [])]
  const common = names.map((name) => [name, { $ref: `#/components/headers/${name}` }])
  return {
    description,
    headers: { ...Object.fromEntries(common), ...operationHeaders },
    ...(content && { content }),
  }
}

/** Returns the Error responses of an operation by status, without the codes `except`. */
export function errorResponses(
  id: OperationId,
  operationHeaders: OpenApiResponse['headers'],
  except: readonly ErrorCode[] = [],
): Record<string, OpenApiResponse> {
  const ofSome: readonly string[] = Object.values(errorsOfSome).flat()
  const own: readonly string[] = errorsOfSome[id]
  const without: readonly string[] = except
  const bodies = errorBodies.filter(
    ({ code }) => (own.includes(code) || !ofSome.includes(code)) && !without.includes(code),
  )
  const statuses = new Set(bodies.map(({ status }) => status))
  return Object.fromEntries(
    [...statuses].map((status) => {
      const here = bodies.filter((body) => body.status === status)
      const examples = Object.fromEntries(here.map((body) => [body.code, { value: body }]))
      return [
        status,
        response(status, Object.keys(examples).join(', '), json('Error', examples), operationHeaders),
      ]
    }),
  )
}

/** Returns the description of a JSON body. */
export function json(
  schema: keyof OpenApiSchemas,
  examples?: OpenApiContent['application/json']['examples'],
): OpenApiContent {
  return { 'application/json': { schema: toSchema(schema), ...(examples && { examples }) } }
}

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

/** The statuses that have a header, where not every response does. */
const statusesWith: Readonly<Record<string, readonly number[]>> = {
  'Retry-After': [409, 429, 503],
  'WWW-Authenticate': [401],
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
  const names = Object.keys(commonHeaders).filter((name) => statusesWith[name]?.includes(status) ?? true)
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
  const ofSome = Object.values(errorsOfSome).flat()
  const bodies = errorBodies.filter(
    ({ code }) => (errorsOfSome[id].includes(code) || !ofSome.includes(code)) && !except.includes(code),
  )
  const responses: Record<string, OpenApiResponse> = {}
  for (const { status } of bodies) {
    const here = bodies.filter((body) => body.status === status)
    const examples = Object.fromEntries(here.map((body) => [body.code, { value: body }]))
    const description = here.map(({ code }) => code).join(', ')
    responses[status] = response(status, description, json('Error', examples), operationHeaders)
  }
  return responses
}

/** Returns the description of a JSON body. */
export function json(
  schema: keyof OpenApiSchemas,
  examples?: OpenApiContent['application/json']['examples'],
): OpenApiContent {
  return { 'application/json': { schema: toSchema(schema), ...(examples && { examples }) } }
}

import { dropUndefined } from './base/options.ts'
import type { ErrorCode } from './http/errors.ts'
import { createMemoryStore, errors, type Operation, type OperationId, operations } from './index.ts'
import {
  checkServiceOptions,
  createDeprecationHeaders,
  describedDefaults,
  listSupportedOperations,
  readPlans,
  toIsoDate,
} from './internal.ts'
import { describeErrors, describeHeader, describeResponse, sharedHeaders } from './openapi/responses.ts'
import { createSchemaReference, createSchemas, type JsonObject } from './openapi/schemas.ts'
import type { ServiceOptions } from './pipeline/options.ts'

export type { JsonObject }

const introduction = `Lists animals for adoption and adds new ones. An id is an int64, which clients must not round.

The plan of an API key determines how many requests it may send. After a 429, wait as long as \`Retry-After\` specifies, and double the wait after each further 429. A client that continues to send requests may be banned temporarily.

An unknown path returns 404. An unsupported method returns 405 with \`Allow\`.`

const codes = Object.keys(errors) as ErrorCode[] // every key is an error code

/** Header descriptions for deprecated operations. */
const deprecationDescriptions: Readonly<Record<string, string>> = {
  Deprecation: 'Time when the operation was deprecated (RFC 9745)',
  Sunset: 'Time when the operation will be removed (RFC 8594)',
  Link: 'Link to the operation to use instead (RFC 8288)',
}

/**
 * Describes a service in OpenAPI 3.1. The result is plain JSON. Its member `x-rateLimits` has the requests per minute
 * and per day for each plan.
 *
 * @param options - The service's options. The defaults are the same as for `createPetService`.
 * @throws {TypeError} If an option is unknown or invalid. The message names the option.
 *
 * @example
 * import { openapi } from 'pet-adoption-service/openapi'
 *
 * const description = openapi({ basePath: '/v1', stability: { createPet: 'beta' } })
 * JSON.stringify(description, null, 2)
 */
export function openapi(options: Partial<ServiceOptions> = {}): JsonObject {
  checkServiceOptions(options)
  const describedOptions = { ...describedDefaults, ...dropUndefined(options) }
  const { idempotency, removal, basePath, maxNameLength } = describedOptions
  const { store = createMemoryStore() } = options
  const supportsKeys = idempotency !== false && store.createOnce !== undefined
  /** Checks whether a service with these options uses a header or error code. */
  const isUsed = (name: string) =>
    (supportsKeys || !/idempotency/i.test(name)) && (removal === 'automatic' || name !== 'operation_removed')
  const paths: Record<string, JsonObject> = {}
  for (const operation of listSupportedOperations(store)) {
    const { method, path } = operation
    const item = describeOperation(operation, describedOptions, isUsed)
    paths[path] = { ...paths[path], [method.toLowerCase()]: item }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Pet adoption service',
      version: '1.0.0',
      description: introduction,
      license: { name: 'MIT', identifier: 'MIT' },
      contact: { name: 'the pet-adoption-service authors' },
    },
    servers: [{ url: basePath || '/' }],
    security: [{ bearerAuth: [] }],
    tags: [{ name: 'pets', description: 'Animals that are available for adoption' }],
    paths,
    components: {
      securitySchemes: { bearerAuth: { type: 'http', scheme: 'bearer', description: 'Your API key' } },
      headers: sharedHeaders,
      schemas: createSchemas(maxNameLength, codes.filter(isUsed)),
    },
    'x-rateLimits': readPlans(options.plans),
  }
}

function describeOperation(
  operation: Operation<OperationId>,
  described: typeof describedDefaults,
  isUsed: (name: string) => boolean,
): JsonObject {
  const { id, summary, description, body, success, deprecated } = operation
  const { basePath, deprecatedSince, maxBodyBytes, stability } = described
  const { status, description: meaning, schema } = success
  const operationErrors = [
    'route_not_found',
    'method_not_allowed',
    ...operations.flatMap(({ errors }) => errors),
  ]
  const ownCodes = codes.filter(
    (code) => isUsed(code) && (operation.errors.includes(code) || !operationErrors.includes(code)),
  )
  const sunset = deprecated && toIsoDate(deprecated.removal)
  const descriptionParts = [
    description,
    body && `The body is at most ${maxBodyBytes} bytes long.`,
    operation.describeOptions?.(described),
    sunset && `This operation will be removed on ${sunset}.`,
  ]
  const fields = createDeprecationHeaders(operation, basePath, deprecatedSince)
  const headers = Object.fromEntries(
    fields.map(([name, value]) => [name, describeHeader(deprecationDescriptions[name] ?? '', value, false)]),
  )
  const successHeaders = (success.headers ?? [])
    .filter(({ name }) => isUsed(name))
    .map((row) => [
      row.name,
      describeHeader(row.description, row.example.replace('{basePath}', basePath), false),
    ])
  const parameters = operation.parameters
    .filter(({ name }) => isUsed(name))
    .map((parameter) => ({ ...parameter, ...(parameter.in === 'path' && { required: true }) }))
  return {
    operationId: id,
    tags: ['pets'],
    summary,
    description: descriptionParts.filter((text) => text !== undefined).join(' '),
    ...(sunset && { deprecated: true, 'x-sunset': sunset }),
    ...(stability[id] && { 'x-stability': stability[id] }),
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: createSchemaReference(body) } },
      },
    }),
    responses: {
      [status]: describeResponse(status, meaning, schema && { schema: createSchemaReference(schema) }, {
        ...headers,
        ...Object.fromEntries(successHeaders),
      }),
      ...describeErrors(ownCodes, headers),
    },
  }
}

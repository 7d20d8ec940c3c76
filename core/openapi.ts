import { dropUndefined } from './base/options.ts'
import type { ErrorCode } from './http/errors.ts'
import { createMemoryStore, errors, type Operation, type OperationId, operations } from './index.ts'
import {
  checkServiceOptions,
  createDeprecationFields,
  describedDefaults,
  isoDate,
  listSupportedOperations,
  readPlans,
} from './internal.ts'
import { commonHeaders, describeErrors, header, response } from './openapi/responses.ts'
import { findSchema, type JsonObject, schemas } from './openapi/schemas.ts'
import type { ServiceOptions } from './pipeline/options.ts'

export type { JsonObject }

/** The facts that concern every operation, in Markdown. */
const introduction = `Lists animals for adoption, and adds them. Ids are int64: read them exactly.

How many requests a key may send depends on its plan. After a 429, wait for the seconds in \`Retry-After\`. After each further 429, wait twice as long: a client that goes on may be banned for a time.

Other paths return 404, other methods 405 with \`Allow\`.`

/** The meanings of the headers of a deprecated operation. */
const deprecationMeanings: Readonly<Record<string, string>> = {
  Deprecation: 'When it was deprecated (RFC 9745)',
  Sunset: 'When it is removed (RFC 8594)',
  Link: 'What to use instead (RFC 8288)',
}

const replayed =
  'The animal was added by an earlier request with this idempotency key, and this is its response again'

/**
 * Describes the interface in OpenAPI 3.1, from the tables that the service uses. The result is JSON: pass it to
 * `JSON.stringify`. `x-rateLimits` has the requests per minute and per day of each plan.
 *
 * @param options The options of the service that is described. Options that the description does not show are ignored.
 * @throws {TypeError} An option is unknown or invalid; the message names it.
 * @example
 * import { openapi } from 'pet-adoption-service/openapi'
 *
 * const description = openapi({ basePath: '/v1', stability: { createPet: 'beta' } })
 * JSON.stringify(description, null, 2)
 */
export function openapi(options: Partial<ServiceOptions> = {}): JsonObject {
  checkServiceOptions(options)
  const described = { ...describedDefaults, ...dropUndefined(options) }
  const { idempotency, removal, basePath, maxNameLength } = described
  const { store = createMemoryStore() } = options
  const supportsKeys = idempotency !== false && store.createOnce !== undefined
  const codes = (Object.keys(errors) as ErrorCode[]) // the keys of the record
    .filter((code) => supportsKeys || !code.includes('idempotency'))
    .filter((code) => removal === 'automatic' || code !== 'operation_removed')
  const paths: Record<string, JsonObject> = {}
  for (const operation of listSupportedOperations(store)) {
    const { method, path } = operation
    const item = describeOperation(operation, described, codes)
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
      headers: commonHeaders,
      schemas: schemas(maxNameLength, codes),
    },
    'x-rateLimits': readPlans(options.plans),
  }
}

function describeOperation(
  operation: Operation<OperationId>,
  described: typeof describedDefaults,
  codes: readonly ErrorCode[],
): JsonObject {
  const { id, summary, description, body, success, deprecated } = operation
  const { basePath, defaultStatus, deprecatedSince, maxBodyBytes, stability } = described
  const { status, description: meaning, schema } = success
  const ofOthers = ['route_not_found', 'method_not_allowed', ...operations.flatMap(({ errors }) => errors)]
  const own = codes.filter((code) => operation.errors.includes(code) || !ofOthers.includes(code))
  const withoutOne = defaultStatus === null ? 'has none' : `is ${defaultStatus}`
  const sunset = deprecated && isoDate(deprecated.removal)
  const texts = [
    description,
    body && `The body is at most ${maxBodyBytes} bytes long. Without a status the animal ${withoutOne}.`,
    sunset && `To be removed on ${sunset}.`,
  ]
  const fields = createDeprecationFields(operation, basePath, deprecatedSince)
  const headers = Object.fromEntries(
    fields.map(([name, value]) => [name, header(deprecationMeanings[name] ?? '', value, false)]),
  )
  const next = `<${basePath}/pets?limit=20&after=20>; rel="next"`
  const supportsKeys = codes.includes('invalid_idempotency_key')
  const headersOfSuccess = {
    ...headers,
    ...(schema === 'Pets' && { Link: header('The next page, where there is one (RFC 8288)', next, false) }),
    ...(body && supportsKeys && { 'Idempotency-Replayed': header(replayed, 'true', false) }),
  }
  const parameters = operation.parameters
    .filter(({ name }) => supportsKeys || name !== 'Idempotency-Key')
    .map((parameter) => ({ ...parameter, ...(parameter.in === 'path' && { required: true }) }))
  return {
    operationId: id,
    tags: ['pets'],
    summary,
    description: texts.filter((text) => text !== undefined).join(' '),
    ...(sunset && { deprecated: true, 'x-sunset': sunset }),
    ...(stability[id] && { 'x-stability': stability[id] }),
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: { required: true, content: { 'application/json': { schema: findSchema(body) } } },
    }),
    responses: {
      [status]: response(status, meaning, schema && { schema: findSchema(schema) }, headersOfSuccess),
      ...describeErrors(own, headers),
    },
  }
}

import { operations } from './index.ts'
import { checkServiceOptions, describedDefaults, readPlans, withoutUndefined } from './internal.ts'
import type { OpenApi, OpenApiOperation } from './openapi/document.ts'
import { describeOperation } from './openapi/operations.ts'
import { commonHeaders } from './openapi/responses.ts'
import { schemas } from './openapi/schemas.ts'
import type { DescribedOptions } from './pipeline/options.ts'

export type {
  OpenApi,
  OpenApiContent,
  OpenApiError,
  OpenApiErrorSchema,
  OpenApiHeader,
  OpenApiOperation,
  OpenApiParameter,
  OpenApiReference,
  OpenApiResponse,
  OpenApiSchema,
  OpenApiSchemas,
} from './openapi/document.ts'
export type { DescribedOptions }

/** The facts that concern every operation, in Markdown. */
const introduction = `Lists animals for adoption, and adds them. Ids are int64: read them exactly.

How many requests a key may send depends on its plan. After a 429, wait for the seconds in \`Retry-After\`. After each further 429, wait twice as long: a client that goes on may be banned for a time.

Other paths return 404, other methods 405 with \`Allow\`.`

/**
 * Describes the interface in OpenAPI 3.1, from the tables by which the service runs.
 *
 * @param options The options of the service that is described. Those that do not show in the description are ignored.
 * @throws {TypeError} An option is unknown or invalid; the message names it.
 * @example
 * import { openapi } from 'pet-adoption-service/openapi'
 *
 * const description = openapi({ basePath: '/v1', stability: { createPet: 'beta' } })
 * JSON.stringify(description, null, 2)
 */
export function openapi(options: DescribedOptions = {}): OpenApi {
  checkServiceOptions(options)
  const plans = readPlans(options.plans)
  const given = { ...describedDefaults, ...withoutUndefined(options) }
  const supportsIdempotency =
    given.idempotency !== false && (!given.store || given.store.createOnce !== undefined)
  const settings = { ...given, plans, supportsIdempotency }
  const paths: Record<string, Record<string, OpenApiOperation>> = {}
  for (const operation of operations) {
    const { method, path } = operation
    paths[path] = { ...paths[path], [method.toLowerCase()]: describeOperation(operation, settings) }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Pet adoption service', version: '1.0.0', description: introduction },
    servers: [{ url: settings.basePath || '/' }],
    security: [{ bearerAuth: [] }],
    tags: [{ name: 'pets', description: 'Animals that are available for adoption' }],
    paths,
    components: {
      securitySchemes: { bearerAuth: { type: 'http', scheme: 'bearer', description: 'Your API key' } },
      headers: commonHeaders,
      schemas: schemas(settings),
    },
    'x-rateLimits': plans,
  }
}

import type { ErrorCode, Operation, OperationId } from '../index.ts'
import { deprecationFields, idempotencyKeyValue, pageLimit } from '../internal.ts'
import type {
  OpenApiHeader,
  OpenApiOperation,
  OpenApiParameter,
  OpenApiSchema,
  OpenApiSchemas,
} from './document.ts'
import { errorResponses, header, json, response } from './responses.ts'
import { type DescribedSettings, idempotencyErrors, int64, toSchema } from './schemas.ts'

/** The meaning of each header of a deprecated operation. */
const deprecationMeanings: Readonly<Record<string, string>> = {
  Deprecation: 'When it was deprecated (RFC 9745)',
  Sunset: 'When it is removed (RFC 8594)',
  Link: 'What to use instead (RFC 8288)',
}

/** How to retry a creation, in Markdown. */
const retrying =
  ' To retry without adding the animal twice, send an `Idempotency-Key` of your own with the request, and the same idempotency key with the same body again: the first response is repeated.'

const idempotencyKey = parameter(
  'header',
  'Idempotency-Key',
  'A value of your own for this animal, such as a UUID: 1 to 255 visible ASCII characters without `"` and `\\`. It may stand in quotes',
  { type: 'string', pattern: idempotencyKeyValue.source },
)

const idempotencyHeaders = {
  'Idempotency-Replayed': header(
    'The animal was added by an earlier request with this idempotency key, and this is its response again',
    'true',
    false,
  ),
}

/** The parts of the description of an operation that are not in the table of operations. */
interface Details {
  readonly summary: string
  readonly description: string
  readonly parameters?: readonly OpenApiParameter[]
  /** The schema of the body. */
  readonly body?: keyof OpenApiSchemas
  /** Without a schema, the response has no body. */
  readonly success: readonly [status: number, description: string, schema?: keyof OpenApiSchemas]
  /** The errors that the options rule out. */
  readonly without?: readonly ErrorCode[]
  /** The headers that a success may have. */
  readonly headers?: Readonly<Record<string, OpenApiHeader>>
}

/** Describes an operation in the form of OpenAPI. */
export function describeOperation(operation: Operation, settings: DescribedSettings): OpenApiOperation {
  const { id, deprecated } = operation
  const { basePath, deprecatedSince, stability } = settings
  const { summary, description, parameters, body, success, headers, without } = detailsOf(settings)[id]
  const [status, meaning, schema] = success
  const sunset = deprecated && new Date(deprecated.removal).toISOString().slice(0, 10)
  const deprecationHeaders: Record<string, OpenApiHeader> = {}
  for (const [name, value] of deprecationFields(operation, basePath, deprecatedSince))
    deprecationHeaders[name] = header(deprecationMeanings[name] ?? '', value, false)
  return {
    operationId: id,
    tags: ['pets'],
    summary,
    description: sunset ? `${description} To be removed on ${sunset}.` : description,
    ...(sunset && { deprecated: true, 'x-sunset': sunset }),
    ...(stability[id] && { 'x-stability': stability[id] }),
    ...(parameters && { parameters }),
    ...(body && { requestBody: { required: true, content: json(body) } }),
    responses: {
      [status]: response(status, meaning, schema && json(schema), { ...deprecationHeaders, ...headers }),
      ...errorResponses(id, deprecationHeaders, without),
    },
  }
}

function detailsOf({
  basePath,
  defaultStatus,
  maxBodyBytes,
  removal,
  supportsIdempotency,
}: DescribedSettings): Readonly<Record<OperationId, Details>> {
  const next = `<${basePath}/pets?limit=20&after=20>; rel="next"`
  return {
    listPets: {
      summary: 'List animals, optionally by status',
      description: 'Animals by ascending id. While there are more, `Link` leads to the next page.',
      parameters: [
        parameter('query', 'limit', 'Maximum number of animals to return', { type: 'integer', ...pageLimit }),
        parameter('query', 'status', 'Filter by availability status', toSchema('PetStatus')),
        parameter('query', 'after', 'Only animals with a greater id', int64),
      ],
      success: [200, 'A page of animals', 'Pets'],
      headers: { Link: header('The next page, where there is one (RFC 8288)', next, false) },
    },
    createPet: {
      summary: 'Add an animal',
      description: `The body is at most ${maxBodyBytes} bytes long. Without a status the animal ${defaultStatus === null ? 'has none' : `is ${defaultStatus}`}.${supportsIdempotency ? retrying : ''}`,
      body: 'NewPet',
      success: [201, 'The animal that was added, with its id', 'Pet'],
      ...(supportsIdempotency
        ? { parameters: [idempotencyKey], headers: idempotencyHeaders }
        : { without: idempotencyErrors }),
    },
    getPet: {
      summary: 'Fetch one animal by its id',
      description: 'Deprecated: use `GET /pets` with the `status` filter instead.',
      parameters: [parameter('path', 'petId', 'Id of the animal to retrieve', int64)],
      success: [200, 'The requested animal', 'Pet'],
      ...(removal === 'manual' && { without: ['operation_removed'] }),
    },
  }
}

function parameter(
  place: OpenApiParameter['in'],
  name: string,
  description: string,
  schema: OpenApiSchema,
): OpenApiParameter {
  return { name, in: place, ...(place === 'path' && { required: true }), description, schema }
}

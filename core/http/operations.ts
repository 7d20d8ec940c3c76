import { deepFreeze } from '../base/frozen.ts'
import type { ErrorCode } from './errors.ts'

/** An operation of the interface (spec 4). */
export interface Operation {
  /** The id in the interface. */
  readonly id: OperationId
  /** HEAD works wherever GET does. */
  readonly method: 'GET' | 'POST'
  /** The path below the base path. Its parameter, if it has one, is at the end. */
  readonly path: string
  /** What it does with the animals: one that reads calls no method of a store that writes. */
  readonly effect: 'reads' | 'writes'
  /** What it does, in a few words. */
  readonly summary: string
  /** What its callers must know, in Markdown. */
  readonly description: string
  /** Those of its path, query and headers. */
  readonly parameters: readonly OperationParameter[]
  /** The schema of its body, if it requires one (spec 2). */
  readonly body?: 'NewPet'
  /** The response of a success. */
  readonly success: OperationSuccess
  /** The codes of the Errors that it may return and that not every operation may return. */
  readonly errors: readonly ErrorCode[]
  /** Present if the operation is deprecated (spec 9.2). */
  readonly deprecated?: Deprecated
}

/** A parameter of an operation. */
export interface OperationParameter {
  /** The name of the parameter or header. */
  readonly name: string
  /** The part of the request that has it. */
  readonly in: 'query' | 'path' | 'header'
  /** What it means, in Markdown. */
  readonly description: string
  /** Its type, and what bounds it, as a JSON Schema. */
  readonly schema: Readonly<Record<string, unknown>>
  /** A valid value. */
  readonly example: string | number
}

/** The response of a success. */
export interface OperationSuccess {
  /** The HTTP status. */
  readonly status: 200 | 201
  /** The meaning of the body, in a few words. */
  readonly description: string
  /** The schema of the body. */
  readonly schema: 'Pet' | 'Pets'
}

/** How a deprecated operation ends (spec 9.2). */
export interface Deprecated {
  /** The day of removal, 00:00 UTC, in ms since the epoch. */
  readonly removal: number
  /** The path of the operation to use instead. */
  readonly successor: string
}

/** The ids that the interface gives its operations (spec 1). */
export type OperationId = 'listPets' | 'createPet' | 'getPet'

/** The bounds of `limit` (spec 4.1). */
export const pageLimit = { minimum: 1, maximum: 100, default: 20 } as const
/** Visible ASCII without `"` and `\`, in quotes or not. A mount joins repeated values by `, `, which does not match. */
export const idempotencyKeyValue: RegExp = /^("?)([!#-[\]-~]{1,255})\1$/
const int64 = { type: 'integer', format: 'int64' }
/** Generators make an int64 a double where nobody tells them. */
const exactly = 'An int64, which may exceed 2^53: do not parse it as a double'

/**
 * All operations, a row each. Routing, `Allow`, CORS, the deprecation headers, the OpenAPI description, `/docs`,
 * metrics and tests read this table.
 *
 * @example
 * import { operations } from 'pet-adoption-service'
 *
 * operations.map(({ method, path }) => `${method} ${path}`) // ['GET /pets', 'POST /pets', 'GET /pets/{petId}']
 */
export const operations: readonly Operation[] = deepFreeze<Operation[]>([
  {
    id: 'listPets',
    method: 'GET',
    path: '/pets',
    effect: 'reads',
    summary: 'List animals, optionally by status',
    description: 'Animals by ascending id. While there are more, `Link` leads to the next page.',
    parameters: [
      {
        name: 'limit',
        in: 'query',
        description: 'Maximum number of animals to return',
        schema: { type: 'integer', ...pageLimit },
        example: 20,
      },
      {
        name: 'status',
        in: 'query',
        description: 'Filter by availability status',
        schema: { $ref: '#/components/schemas/PetStatus' },
        example: 'available',
      },
      {
        name: 'after',
        in: 'query',
        description: `Only animals with a greater id. ${exactly}`,
        schema: int64,
        example: 20,
      },
    ],
    success: { status: 200, description: 'A page of animals', schema: 'Pets' },
    errors: ['invalid_parameter'],
  },
  {
    id: 'createPet',
    method: 'POST',
    path: '/pets',
    effect: 'writes',
    summary: 'Add an animal',
    description: 'The response has the animal with its id.',
    parameters: [
      {
        name: 'Idempotency-Key',
        in: 'header',
        description:
          'A value of your own for this animal, such as a UUID: 1 to 255 visible ASCII characters without `"` and `\\`. It may stand in quotes. A request that is sent again with it and the same body adds no second animal: the first response is repeated',
        schema: { type: 'string', pattern: idempotencyKeyValue.source },
        example: '8e03978e-40d5-43e8-bc93-6894a57f9324',
      },
    ],
    body: 'NewPet',
    success: { status: 201, description: 'The animal that was added, with its id', schema: 'Pet' },
    errors: [
      'invalid_json',
      'invalid_pet',
      'body_too_large',
      'unsupported_media_type',
      'invalid_idempotency_key',
      'idempotency_key_in_use',
      'idempotency_key_reused',
    ],
  },
  {
    id: 'getPet',
    method: 'GET',
    path: '/pets/{petId}',
    effect: 'reads',
    summary: 'Fetch one animal by its id',
    description: 'Deprecated: use `GET /pets` with the `status` filter instead.',
    parameters: [
      {
        name: 'petId',
        in: 'path',
        description: `Id of the animal to retrieve. ${exactly}`,
        schema: int64,
        example: 1,
      },
    ],
    success: { status: 200, description: 'The requested animal', schema: 'Pet' },
    errors: ['pet_not_found', 'operation_removed'],
    deprecated: { removal: Date.UTC(2030, 11, 5), successor: '/pets' },
  },
])

/** The route of a path. */
export interface Route {
  /** Undefined if the path supports other methods only. */
  readonly operation: Operation | undefined
  /** The methods that the path supports, for `Allow`. */
  readonly allow: readonly string[]
  /** The text in the place of the parameter; empty if the path has none. */
  readonly parameter: string
}

const paths = [...new Set(operations.map(({ path }) => path))].map((path) => {
  const here = operations.filter((operation) => operation.path === path)
  const byMethod = new Map(here.map((operation) => [operation.method as string, operation]))
  const get = byMethod.get('GET')
  if (get) byMethod.set('HEAD', get)
  const [prefix = '', parameter] = path.split('{')
  return { prefix, hasParameter: parameter !== undefined, byMethod, allow: [...byMethod.keys()] }
})

/** Returns the route of a path below the base path; undefined if there is none. HEAD has the routes of GET. */
export function route(method: string, path: string): Route | undefined {
  for (const { prefix, hasParameter, byMethod, allow } of paths) {
    if (!path.startsWith(prefix)) continue
    const parameter = path.slice(prefix.length)
    if (hasParameter ? parameter !== '' && !parameter.includes('/') : parameter === '')
      return { operation: byMethod.get(method), allow, parameter }
  }
  return undefined
}

/** 20 November 2026, 00:00 UTC, in Unix seconds: the date of the specification that deprecates getPet. */
export const defaultDeprecatedSince = 1_795_132_800

/**
 * Returns the headers of every response of a deprecated operation, as pairs; none for another operation. `since` is in
 * Unix seconds (RFC 9745). The date of removal becomes `Sunset` (RFC 8594).
 */
export function deprecationFields(
  { deprecated }: Operation,
  basePath: string,
  since: number,
): readonly (readonly [name: string, value: string])[] {
  if (!deprecated) return []
  return [
    ['Deprecation', `@${since}`],
    ['Sunset', new Date(deprecated.removal).toUTCString()],
    ['Link', `<${basePath}${deprecated.successor}>; rel="successor-version"`],
  ]
}

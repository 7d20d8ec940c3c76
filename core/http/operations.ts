import { deepFreeze } from '../base/frozen.ts'

/** An operation of the interface (spec 4). */
export interface Operation {
  readonly id: OperationId
  readonly method: 'GET' | 'POST'
  /** The path below the base path. Its parameter, if it has one, is at the end. */
  readonly path: string
  /** Present if the operation is deprecated (spec 9.2). */
  readonly deprecated?: Deprecated
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

/**
 * All operations. The router, the deprecation headers and the OpenAPI description read this table.
 *
 * @example
 * import { operations } from 'pet-adoption-service'
 *
 * operations.map(({ method, path }) => `${method} ${path}`) // ['GET /pets', 'POST /pets', 'GET /pets/{petId}']
 */
export const operations: readonly Operation[] = deepFreeze<Operation[]>([
  { id: 'listPets', method: 'GET', path: '/pets' },
  { id: 'createPet', method: 'POST', path: '/pets' },
  {
    id: 'getPet',
    method: 'GET',
    path: '/pets/{petId}',
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
 * Returns the headers of every response of a deprecated operation, as pairs; none for another operation. `since` is in Unix
 * seconds (RFC 9745). The date of removal becomes `Sunset` (RFC 8594).
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

/** An operation of the interface (spec 4). */
export interface Operation {
  readonly id: OperationId
  readonly method: 'GET' | 'POST'
  /** Below the base path; the one parameter stands at its end. */
  readonly path: string
  /** Set where the operation is deprecated (spec 9.2). */
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

/** All operations: the matcher, the deprecation headers and the OpenAPI description read this table. */
export const operations: readonly Operation[] = [
  { id: 'listPets', method: 'GET', path: '/pets' },
  { id: 'createPet', method: 'POST', path: '/pets' },
  {
    id: 'getPet',
    method: 'GET',
    path: '/pets/{petId}',
    deprecated: { removal: Date.UTC(2030, 11, 5), successor: '/pets' },
  },
]

/** What a path leads to. */
export interface Route {
  /** The operation; undefined where the path takes other methods only. */
  readonly operation: Operation | undefined
  /** The methods that the path takes, for `Allow`. */
  readonly allow: readonly string[]
  /** The text in the parameter's place; empty where the path has none. */
  readonly parameter: string
}

const paths = [...new Set(operations.map(({ path }) => path))].map((path) => {
  const here = operations.filter((operation) => operation.path === path)
  const byMethod = new Map(here.map((operation) => [operation.method as string, operation]))
  const get = byMethod.get('GET')
  if (get) byMethod.set('HEAD', get)
  const brace = path.indexOf('{')
  return { path, prefix: brace < 0 ? undefined : path.slice(0, brace), byMethod, allow: [...byMethod.keys()] }
})

/** Finds what a path below the base path leads to; undefined where there is nothing. HEAD goes wherever GET does. */
export function route(method: string, path: string): Route | undefined {
  for (const { path: literal, prefix, byMethod, allow } of paths) {
    const parameter = prefix === undefined ? '' : parameterAfter(prefix, path)
    if (prefix === undefined ? path === literal : parameter !== '') {
      return { operation: byMethod.get(method), allow, parameter }
    }
  }
  return undefined
}

function parameterAfter(prefix: string, path: string): string {
  return path.startsWith(prefix) && path.indexOf('/', prefix.length) < 0 ? path.slice(prefix.length) : ''
}

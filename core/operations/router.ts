import type { OperationId } from './index.ts'
import type { Operation } from './operation.ts'

/** The route of a request. */
export interface Route {
  /** The path of the table, such as `/pets/{petId}`; undefined for a route of the embedder. */
  readonly path: string | undefined
  /** Undefined if the path supports other methods only. */
  readonly operation: Operation<OperationId> | undefined
  /** The methods that the path supports, for `Allow`. */
  readonly allow: readonly string[]
  /** The value of the parameter; empty if the path has none. */
  readonly parameter: string
}

/** Returns the route of a path below the base path; undefined for an unknown path. HEAD has the routes of GET. */
export type Router = (method: string, path: string) => Route | undefined

/** Creates the router of some operations. */
export function createRouter(operations: readonly Operation<OperationId>[]): Router {
  const rows = [...new Set(operations.map(({ path }) => path))].map((path) => {
    const samePath = operations.filter((operation) => operation.path === path)
    const byMethod = new Map(samePath.map((operation) => [operation.method as string, operation]))
    const get = byMethod.get('GET')
    if (get) byMethod.set('HEAD', get)
    const [prefix = '', parameter] = path.split('{')
    return { path, prefix, hasParameter: parameter !== undefined, byMethod, allow: [...byMethod.keys()] }
  })

  return (method, requested) => {
    for (const { path, prefix, hasParameter, byMethod, allow } of rows) {
      if (!requested.startsWith(prefix)) continue
      const parameter = requested.slice(prefix.length)
      const isMatch = hasParameter ? parameter !== '' && !parameter.includes('/') : parameter === ''
      if (isMatch) return { path, operation: byMethod.get(method), allow, parameter }
    }
    return undefined
  }
}

import type { OperationId } from './index.ts'
import type { Operation } from './operation.ts'

/** The route that a request matches. */
export interface Route {
  /** The path below the base path, such as `/pets/{petId}`, or `undefined` for the application's own routes. */
  readonly path: string | undefined
  /** The operation, or `undefined` if the path does not support the method. */
  readonly operation: Operation<OperationId> | undefined
  /** The methods that the path supports, for `Allow`. */
  readonly allowedMethods: readonly string[]
  /** The path parameter's value, or the empty string if the path has no parameter. */
  readonly parameter: string
}

/** Returns the route for a method and a path below the base path, or `undefined` for an unknown path. */
export type Router = (method: string, path: string) => Route | undefined

/** Creates a router for operations. A path with `GET` also supports `HEAD`. */
export function createRouter(operations: readonly Operation<OperationId>[]): Router {
  const rows = [...new Set(operations.map(({ path }) => path))].map((path) => {
    const pathOperations = operations.filter((operation) => operation.path === path)
    const operationsByMethod = new Map(
      pathOperations.map((operation) => [operation.method as string, operation]),
    )
    const getOperation = operationsByMethod.get('GET')
    if (getOperation) operationsByMethod.set('HEAD', getOperation)
    const [prefix = '', parameter] = path.split('{')
    return {
      path,
      prefix,
      hasParameter: parameter !== undefined,
      byMethod: operationsByMethod,
      allowedMethods: [...operationsByMethod.keys()],
    }
  })

  return (method, requested) => {
    for (const { path, prefix, hasParameter, byMethod, allowedMethods } of rows) {
      if (!requested.startsWith(prefix)) continue
      const parameter = requested.slice(prefix.length)
      const isMatch = hasParameter ? parameter !== '' && !parameter.includes('/') : parameter === ''
      if (isMatch) return { path, operation: byMethod.get(method), allowedMethods, parameter }
    }
    return undefined
  }
}

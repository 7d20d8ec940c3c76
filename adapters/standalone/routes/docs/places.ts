import type { OpenApi, OpenApiOperation, OpenApiResponse } from '../../../../core/openapi.ts'

/** An operation with its method and path. */
export interface Place {
  readonly operation: OpenApiOperation
  readonly method: string
  /** Includes the base path. */
  readonly path: string
}

/** Returns the operations of a description, in its order. */
export function placesOf({ paths, servers }: OpenApi): readonly Place[] {
  const base = servers[0]?.url ?? '/'
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      operation,
      method: method.toUpperCase(),
      path: base === '/' ? path : base + path,
    })),
  )
}

/** Returns the codes of the Errors of an operation, or of one of its responses. */
export function codesOf(part: OpenApiOperation | OpenApiResponse): readonly string[] {
  if ('responses' in part) return Object.values(part.responses).flatMap(codesOf)
  return Object.keys(part.content?.['application/json'].examples ?? {})
}

/** Returns the codes of the Errors that every operation has. */
export function commonCodesOf(document: OpenApi): readonly string[] {
  const [first = [], ...others] = placesOf(document).map(({ operation }) => codesOf(operation))
  return first.filter((code) => others.every((codes) => codes.includes(code)))
}

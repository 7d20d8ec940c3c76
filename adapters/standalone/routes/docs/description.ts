import type { OpenApi, OpenApiOperation, OpenApiResponse, OpenApiSchema } from '../../../../core/openapi.ts'

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

/** A property of an object's schema. */
export interface Property {
  readonly name: string
  readonly schema: OpenApiSchema
  readonly required: boolean
}

/** Returns the schema that a reference names, or the schema itself. */
export function resolve(schema: OpenApiSchema, { components }: OpenApi): OpenApiSchema {
  const name = nameOf(schema)
  return Object.entries(components.schemas).find(([candidate]) => candidate === name)?.[1] ?? schema
}

/** Returns the properties of an object: first its own, then those of the schemas in its `allOf`. */
export function propertiesOf(schema: OpenApiSchema, document: OpenApi): readonly Property[] {
  const { allOf = [], properties = {}, required = [] } = resolve(schema, document)
  const own = Object.entries(properties).map(([name, property]) => ({
    name,
    schema: property,
    required: required.includes(name),
  }))
  return [...own, ...allOf.toReversed().flatMap((part) => propertiesOf(part, document))]
}

/** Returns the name of the schema that a reference leads to. */
export function nameOf({ $ref }: OpenApiSchema): string | undefined {
  return $ref?.slice($ref.lastIndexOf('/') + 1)
}

import type { OpenApi, OpenApiSchema } from '../../../../core/openapi.ts'
import { type Html, html } from './html.ts'

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

/** Returns the type of a schema in words: `integer (int64)`, `array of Pet`. */
export function typeOf(schema: OpenApiSchema): Html {
  const name = nameOf(schema)
  if (name !== undefined) return html`<a href="#schema-${name}">${name}</a>`
  const { type = 'any', format, items, minimum, maximum, maxLength, default: fallback } = schema
  return html`${type}${format && ` (${format})`}${items && html` of ${typeOf(items)}`}${
    minimum !== undefined && ` from ${minimum}`
  }${maximum !== undefined && ` to ${maximum}`}${
    maxLength !== undefined && `, at most ${maxLength} characters`
  }${fallback !== undefined && `, ${fallback} by default`}`
}

function nameOf({ $ref }: OpenApiSchema): string | undefined {
  return $ref?.slice($ref.lastIndexOf('/') + 1)
}

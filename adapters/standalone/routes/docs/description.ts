import { type Operation, operations } from '../../../../core/index.ts'
import type { JsonObject } from '../../../../core/openapi.ts'

/** A schema of the OpenAPI description, with the members that the page shows. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string
  readonly format?: string
  readonly description?: string
  readonly enum?: readonly string[]
  readonly maxLength?: number
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly allOf?: readonly Schema[]
  readonly examples?: readonly unknown[]
}

interface Media {
  readonly schema: Schema
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>
}

/** The parts of the OpenAPI description that the page shows. */
export interface Description {
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>
}

interface DescribedOperation {
  readonly parameters?: readonly { readonly name: string }[]
  readonly responses: Readonly<Record<string, ResponseOf>>
}

interface ResponseOf {
  readonly content?: Readonly<Record<string, Media>>
}

/** Returns the description with its types. Its tests compare it with the schema of OpenAPI. */
export function typedDescription(document: JsonObject): Description {
  return document as unknown as Description // `openapi` returns these members
}

/** Returns the name and the schema of a reference. */
export function followReference({ components }: Description, schema: Schema): readonly [string, Schema] {
  const name = schema.$ref?.split('/').at(-1) ?? ''
  return [name, components.schemas[name] ?? schema]
}

/** Returns the members of an object and of its parts, and the names of the required ones. */
export function collectMembers(
  description: Description,
  schema: Schema,
): Pick<Schema, 'properties' | 'required'> {
  const parts = [schema, ...(schema.allOf ?? [])].map((part) =>
    part.$ref ? collectMembers(description, followReference(description, part)[1]) : part,
  )
  return {
    properties: Object.assign({}, ...parts.map(({ properties }) => properties)),
    required: parts.flatMap(({ required = [] }) => required),
  }
}

/** Returns the codes that Errors of the described service may have. */
export function readCodes({ components }: Description): readonly string[] {
  const { examples = [] } = components.schemas.Error ?? {}
  return examples.map((example) => (example as { code: string }).code) // each of them is an Error
}

/**
 * Returns the operations of a description, with the parameters and the errors that it has: the service may leave out
 * some of the table.
 */
export function describedOperations(description: Description): readonly Operation[] {
  const codes = readCodes(description)
  return operations.flatMap((operation) => {
    const described = description.paths[operation.path]?.[operation.method.toLowerCase()]
    if (!described) return []
    const names = described.parameters?.map(({ name }) => name) ?? []
    return {
      ...operation,
      parameters: operation.parameters.filter(({ name }) => names.includes(name)),
      errors: operation.errors.filter((code) => codes.includes(code)),
    }
  })
}

/** Returns a sample body of a response, indented; undefined for a response without one. */
export function createSample(
  description: Description,
  { method, path }: Operation,
  status: number,
): string | undefined {
  const { responses = {} } = description.paths[path]?.[method.toLowerCase()] ?? {}
  const media = responses[status]?.content?.['application/json']
  if (!media) return undefined
  const [example] = Object.values(media.examples ?? {})
  return JSON.stringify(
    example?.value ?? followReference(description, media.schema)[1].examples?.[0],
    null,
    2,
  )
}

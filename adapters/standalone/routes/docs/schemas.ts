import { errors } from '../../../../core/index.ts'
import type { JsonObject } from '../../../../core/openapi.ts'
import { type Html, html } from './html.ts'

/** A schema in the OpenAPI document. */
interface Schema {
  readonly $ref?: string
  readonly type?: string
  readonly format?: string
  readonly description?: string
  readonly enum?: readonly string[]
  readonly maxLength?: number
  readonly required?: readonly string[]
  readonly properties?: Schemas
  readonly allOf?: readonly Schema[]
  readonly examples?: readonly unknown[]
}

/** Schemas by name. */
export type Schemas = Readonly<Record<string, Schema>>

/** Returns the schemas in an OpenAPI document. Tests compare the document with OpenAPI's schema. */
export function readSchemas(document: JsonObject): Schemas {
  return (document.components as { schemas: Schemas }).schemas // `openapi` returns these members
}

/** Schemas on the page, in order. */
const schemaNames = ['Pet', 'NewPet', 'Error']

/** Formats each schema's members with their allowed values. */
export function formatSchemas(schemas: Schemas): Html {
  return html`${schemaNames.map((name) => formatSchema(name, schemas))}`
}

function formatSchema(name: string, schemas: Schemas): Html {
  const { properties = {}, required = [] } = collectMembers(schemas[name] ?? {}, schemas)
  const codes = name === 'Error' ? Object.keys(errors) : []
  return html`
<h3 id="schema-${name}">${name}</h3>
<dl>${Object.entries(properties).map(([member, schema]) =>
    formatMember(
      member,
      resolveReference(schema, schemas),
      required.includes(member),
      member === 'code' ? codes : [],
    ),
  )}</dl>`
}

/** Returns the schema that a `$ref` names, or the schema itself without one. */
function resolveReference(schema: Schema, schemas: Schemas): Schema {
  return schemas[schema.$ref?.split('/').at(-1) ?? ''] ?? schema
}

/** Collects an object's members, including members from `allOf`, and the required members' names. */
function collectMembers(schema: Schema, schemas: Schemas): Pick<Schema, 'properties' | 'required'> {
  const parts = (schema.allOf ?? []).map((part) => collectMembers(resolveReference(part, schemas), schemas))
  return {
    properties: Object.assign({}, ...[schema, ...parts].map(({ properties }) => properties)),
    required: [schema, ...parts].flatMap(({ required = [] }) => required),
  }
}

function formatMember(
  name: string,
  { type = '', format, description = '', maxLength, enum: values = [] }: Schema,
  isRequired: boolean,
  codes: readonly string[],
): Html {
  const notes = [
    format ? `${type} (${format})` : type,
    isRequired ? 'required' : 'optional',
    ...(maxLength === undefined ? [] : [`at most ${maxLength} characters`]),
  ]
  const choices = [
    ...values.map((value) => html`<code>${value}</code> `),
    ...codes.map((code) => html`<a href="#error-${code}"><code>${code}</code></a> `),
  ]
  return html`<div><dt><code>${name}</code></dt><dd><span class="note">${notes.join(', ')}</span> ${description}${
    choices.length > 0 && html`: <span class="choices">${choices}</span>`
  }</dd></div>`
}

import { mostHeaders } from '../transcript/bounds.ts'

/** The part of JSON Schema (draft 2020-12) in which the schemas of this package are written. */
export interface Schema {
  readonly $schema?: string
  readonly $id?: string
  readonly title?: string
  readonly description?: string | undefined
  readonly type?: 'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean'
  readonly enum?: readonly (string | number | boolean)[]
  /** The members of an object that the suite knows; others are allowed, and ignored. */
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  /** The elements of an array. */
  readonly items?: Schema
  readonly minItems?: number
  readonly maxItems?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly oneOf?: readonly Schema[]
}

/** Returns the schema of an object. Members besides these are allowed. */
export function object(
  required: Readonly<Record<string, Schema>>,
  optional: Readonly<Record<string, Schema>> = {},
  more: Pick<Schema, 'description'> = {},
): Schema {
  return {
    type: 'object',
    ...more,
    properties: { ...required, ...optional },
    required: Object.keys(required),
  }
}

/** Returns the schema of an array. */
export const arrayOf = (
  items: Schema,
  more: Pick<Schema, 'description' | 'minItems' | 'maxItems'> = {},
): Schema => ({ type: 'array', ...more, items })

/** Returns the schema of a text that is one of a few. */
export const oneOfTexts = (texts: readonly string[], description?: string): Schema => ({
  type: 'string',
  description,
  enum: texts,
})

/** Returns the schema of any text. */
export const text = (description?: string): Schema => ({ type: 'string', description })

/** Returns the schema of `true`. */
export const isTrue = (description: string): Schema => ({ type: 'boolean', description, enum: [true] })

/** Returns the schema of a whole number from 0. */
export const count = (description?: string): Schema => ({
  type: 'integer',
  description,
  minimum: 0,
  maximum: 1_000_000_000,
})

/** Returns the schema of a duration in milliseconds, at most 31 years. */
export const milliseconds = (description: string): Schema => ({
  type: 'number',
  description,
  minimum: 0,
  maximum: 1_000_000_000_000,
})

/** Returns the schema of an ISO time in UTC, as `Date.prototype.toISOString` returns it. */
export const isoTime = (description: string): Schema => ({
  ...text(description),
  pattern:
    '^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])T([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(\\.\\d{1,9})?Z$',
})

/** The schema of headers: pairs of a name and a value. */
export const headers: Schema = arrayOf(arrayOf(text(), { minItems: 2, maxItems: 2 }), {
  description: 'pairs of a name and a value, in their order',
  maxItems: mostHeaders,
})

/** The schema of the id of an exchange. */
export const exchangeId: Schema = { ...text('the id of an exchange'), minLength: 1, maxLength: 100 }

/** The schema of a base URL. */
export const baseUrl: Schema = { ...text('the base URL'), pattern: '^https?://[^\\s]+$' }

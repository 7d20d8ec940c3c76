import { type JsonPath, pathText } from '../transcript/place.ts'
import type { Schema } from './schema.ts'

/** A value that does not fit a schema. */
interface Misfit {
  readonly path: JsonPath
  /** What is wrong, as a phrase after the path. */
  readonly text: string
}

/** Returns the first place of a JSON document that does not fit a schema, and why; `undefined` if all of it does. */
export function schemaProblem(value: unknown, schema: Schema): string | undefined {
  const found = misfit(value, schema, [])
  return found && `${pathText(found.path)} ${found.text}`
}

/**
 * Reads the text of a JSON document that fits a schema.
 *
 * @param what The document, as `the report`.
 * @param save How to save one, for the message about a text that is not JSON.
 * @throws {TypeError} The text is not JSON, or does not fit; the message names the place.
 */
export function readDocument(text: string, schema: Schema, what: string, save: string): unknown {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new TypeError(`${what} is not JSON: save one with ${save}`)
  }
  const problem = schemaProblem(value, schema)
  if (problem !== undefined) throw new TypeError(`${what} cannot be read: ${problem}`)
  return value
}

function misfit(value: unknown, schema: Schema, path: JsonPath): Misfit | undefined {
  if (schema.oneOf !== undefined) return misfitOfAll(value, schema.oneOf, path)
  const [noun, isOfType] = schema.type === undefined ? [] : types[schema.type]
  if (isOfType?.(value) === false) return { path, text: `must be ${noun}` }
  if (schema.enum !== undefined && !schema.enum.some((one) => one === value))
    return { path, text: `must be ${schema.enum.map((one) => JSON.stringify(one)).join(' or ')}` }
  if (typeof value === 'string') return misfitOfText(value, schema, path)
  const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = schema
  if (typeof value === 'number' && (value < minimum || value > maximum))
    return { path, text: `must be from ${minimum} to ${maximum}` }
  if (Array.isArray(value)) return misfitOfArray(value, schema, path)
  return typeof value === 'object' && value !== null ? misfitOfObject(value, schema, path) : undefined
}

/** Each type: its noun, and whether a value is of it. */
const types: Readonly<Record<NonNullable<Schema['type']>, readonly [string, (value: unknown) => boolean]>> = {
  object: ['an object', (value) => typeof value === 'object' && value !== null && !Array.isArray(value)],
  array: ['an array', Array.isArray],
  string: ['a text', (value) => typeof value === 'string'],
  // JSON.parse returns Infinity for a number that no double holds
  number: ['a number', Number.isFinite],
  integer: ['a whole number', Number.isInteger],
  boolean: ['true or false', (value) => typeof value === 'boolean'],
}

/** The misfit of the alternative that fits the furthest. */
function misfitOfAll(value: unknown, all: readonly Schema[], path: JsonPath): Misfit | undefined {
  const found = all.map((schema) => misfit(value, schema, path))
  if (found.includes(undefined)) return undefined
  return found.reduce((a, b) => ((b?.path.length ?? 0) > (a?.path.length ?? 0) ? b : a))
}

function misfitOfText(
  value: string,
  { pattern, minLength = 0, maxLength = Number.POSITIVE_INFINITY }: Schema,
  path: JsonPath,
): Misfit | undefined {
  if (value.length < minLength) return { path, text: 'must not be empty' }
  if (value.length > maxLength) return { path, text: `must have at most ${maxLength} characters` }
  const isMatch = pattern === undefined || new RegExp(pattern, 'u').test(value)
  return isMatch ? undefined : { path, text: `must match ${pattern}` }
}

function misfitOfArray(
  value: readonly unknown[],
  { items, minItems = 0, maxItems = Number.POSITIVE_INFINITY }: Schema,
  path: JsonPath,
): Misfit | undefined {
  if (value.length < minItems || value.length > maxItems) {
    const [bound, count] = value.length < minItems ? ['at least ', minItems] : ['at most ', maxItems]
    return { path, text: `must have ${minItems === maxItems ? '' : bound}${count} elements` }
  }
  if (items === undefined) return undefined
  for (const [index, element] of value.entries()) {
    const found = misfit(element, items, [...path, index])
    if (found !== undefined) return found
  }
  return undefined
}

function misfitOfObject(
  value: object,
  { properties = {}, required = [] }: Schema,
  path: JsonPath,
): Misfit | undefined {
  for (const [name, member] of Object.entries(value)) {
    const schema = Object.hasOwn(properties, name) ? properties[name] : undefined
    const found = schema && misfit(member, schema, [...path, name])
    if (found !== undefined) return found
  }
  const missing = required.find((name) => !Object.hasOwn(value, name))
  return missing === undefined ? undefined : { path: [...path, missing], text: 'is missing' }
}

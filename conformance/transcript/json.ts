import { type Json, JsonObject } from './json-object.ts'
import { reader } from './json-reader.ts'

export type { Json } from './json-object.ts'

/**
 * Reads a JSON text (RFC 8259) without losing a digit. `7`, `7.0` and `7e0` are the integer 7n, as in JSON Schema. Of
 * members with one name, the last counts. Takes time and memory linear in the text.
 *
 * @returns The value; `undefined` if the text is not JSON, or is nested deeper than 1,000 levels (RFC 8259, section 9,
 * allows such a limit).
 */
export function readJson(text: string): Json | undefined {
  try {
    return reader.read(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Whether a value is a JSON object. */
export function isObject(value: Json | undefined): value is JsonObject {
  return value instanceof JsonObject
}

/** Returns the first character of a text that no JSON text has there; `undefined` if the text is JSON. */
export function invalidAt(text: string): number | undefined {
  try {
    reader.read(text)
    return undefined
  } catch (error) {
    if (error instanceof SyntaxError) return Math.min(reader.stoppedAt, text.length)
    throw error
  }
}

/** Returns a value as JSON text without white space, integers digit for digit. */
export function writeJson(value: Json): string {
  if (typeof value === 'bigint') return value.toString()
  if (Array.isArray(value)) return `[${value.map(writeJson).join(',')}]`
  if (!isObject(value)) return JSON.stringify(value)
  return `{${[...value].map(([name, member]) => `${JSON.stringify(name)}:${writeJson(member)}`).join(',')}}`
}

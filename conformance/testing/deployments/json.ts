/** A JSON value whose integers are exact: `7`, `7.0` and `7e0` are all `7n`; other numbers stay numbers. */
export type Json = null | boolean | string | number | bigint | readonly Json[] | JsonObject

/** A JSON object. */
export interface JsonObject {
  readonly [name: string]: Json
}

/** Matches each string and each number; the group is the colon after a member name. */
const stringOrNumber = /"(?:[^"\\]|\\.)*"(\s*:)?|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

/** Parses a JSON text. Throws a `SyntaxError` if it is not JSON. */
export function readJson(text: string): Json {
  JSON.parse(text)
  const marked = text.replace(stringOrNumber, (token, colon?: string) => {
    if (colon !== undefined) return token
    return token.startsWith('"') ? `"s${token.slice(1)}` : `"n${token}"`
  })
  return JSON.parse(marked, (_, value) => {
    if (typeof value !== 'string') return value
    return value.startsWith('s') ? value.slice(1) : exactNumber(value.slice(1))
  })
}

/** Serializes a value as JSON without white space, integers digit for digit. */
export function writeJson(value: Json): string {
  if (typeof value === 'bigint') return value.toString()
  if (Array.isArray(value)) return `[${value.map(writeJson).join(',')}]`
  if (!isObject(value)) return JSON.stringify(value)
  const members = Object.entries(value).map(
    ([name, member]) => `${JSON.stringify(name)}:${writeJson(member)}`,
  )
  return `{${members.join(',')}}`
}

/** Returns whether a value is an object other than an array or `null`. */
export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function exactNumber(text: string): number | bigint {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? []
  const shift = Number(exponent) - fraction.length
  const digits = whole + fraction
  if (Math.abs(shift) > 400) return Number(text)
  if (shift >= 0) return BigInt(sign + digits + '0'.repeat(shift))
  const padded = digits.padStart(1 - shift, '0')
  return /^0+$/.test(padded.slice(shift)) ? BigInt(sign + padded.slice(0, shift)) : Number(text)
}

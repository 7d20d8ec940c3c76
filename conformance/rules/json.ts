/** A JSON value with its numbers kept: a number that is an integer is a `bigint`, however it is spelt. */
export type Json = null | boolean | string | bigint | number | readonly Json[] | JsonObject
export type JsonObject = ReadonlyMap<string, Json>

/** The tokens of a JSON text that are strings or numbers. */
const stringsAndNumbers = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g
/** More digits than any integer that matters here has. */
const mostDigits = 60

/**
 * Reads a JSON text (RFC 8259) without losing a digit: `7`, `7.0` and `7e0` are the integer 7n (JSON Schema), the
 * last of repeated members counts. Answers `undefined` where the text is no JSON.
 */
export function readJson(text: string): Json | undefined {
  try {
    JSON.parse(text)
    return JSON.parse(text.replace(stringsAndNumbers, tag), untag)
  } catch {
    return undefined
  }
}

/** Whether a value is a JSON object. */
export function isObject(value: Json | undefined): value is JsonObject {
  return value instanceof Map
}

/** Carries a number as a string, and every string with a mark that tells it from one. */
function tag(token: string): string {
  return token.startsWith('"') ? `"s${token.slice(1)}` : `"n${token}"`
}

function untag(_: string, value: unknown): unknown {
  if (typeof value === 'string') return value.startsWith('s') ? value.slice(1) : readNumber(value.slice(1))
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return new Map(Object.entries(value).map(([name, member]) => [name.slice(1), member]))
}

function readNumber(text: string): bigint | number {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? []
  const digits = (whole + fraction).replace(/^0+/, '')
  const significant = digits.replace(/0+$/, '')
  if (significant === '') return 0n
  const scale = Number(exponent) - fraction.length + digits.length - significant.length
  if (scale < 0 || significant.length + scale > mostDigits) return Number(text)
  return BigInt(sign + significant + '0'.repeat(scale))
}

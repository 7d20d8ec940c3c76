/** JSON with integers as bigint. */
export type Json = null | boolean | string | number | bigint | readonly Json[] | JsonObject

export interface JsonObject {
  readonly [name: string]: Json
}

/** A string, with the colon after a member name, or a number. */
const stringOrNumber = /"(?:[^"\\]|\\.)*"(\s*:)?|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

/** Parses JSON. Integers become bigint, also in forms such as `7.0` and `7e0`. */
export function readJson(text: string): Json {
  JSON.parse(text)
  const markedText = text.replace(stringOrNumber, (token, colon?: string) => {
    if (colon !== undefined) return token
    return token.startsWith('"') ? `"s${token.slice(1)}` : `"n${token}"`
  })
  return JSON.parse(markedText, (_, value) => {
    if (typeof value !== 'string') return value
    return value.startsWith('s') ? value.slice(1) : parseExactNumber(value.slice(1))
  })
}

export function writeJson(value: Json): string {
  if (typeof value === 'bigint') return value.toString()
  if (Array.isArray(value)) return `[${value.map(writeJson).join(',')}]`
  if (!isObject(value)) return JSON.stringify(value)
  const members = Object.entries(value).map(
    ([name, member]) => `${JSON.stringify(name)}:${writeJson(member)}`,
  )
  return `{${members.join(',')}}`
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function parseExactNumber(text: string): number | bigint {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? []
  const decimalShift = Number(exponent) - fraction.length
  const digits = whole + fraction
  if (Math.abs(decimalShift) > 400) return Number(text)
  if (decimalShift >= 0) return BigInt(sign + digits + '0'.repeat(decimalShift))
  const paddedDigits = digits.padStart(1 - decimalShift, '0')
  return /^0+$/.test(paddedDigits.slice(decimalShift))
    ? BigInt(sign + paddedDigits.slice(0, decimalShift))
    : Number(text)
}

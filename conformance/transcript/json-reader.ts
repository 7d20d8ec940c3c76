import { type Json, JsonObject, type JsonPath } from './json.ts'

const maxDepth = 1000
const stringOrNumber = /"([^"]*)"|(-?\d[\d.e+-]*)/gi
const emptyObject = new JsonObject([])

/**
 * Parses JSON (RFC 8259) without rounding integers: `7`, `7.0` and `7e0` are `7n`. The last member with a name counts.
 *
 * @returns The value, or `undefined` if the text is not JSON or is nested more than 1000 levels deep (RFC 8259, section
 * 9, allows such a limit).
 */
export function readJson(text: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(text)
    // The text is parsed again with each number as a string, which keeps all digits.
    const quotedText = text.replace(/\\["\\]/g, '?').replace(stringOrNumber, '"$1$2"')
    return toJson(value, JSON.parse(quotedText), maxDepth)
  } catch {
    return undefined
  }
}

function toJson(value: unknown, exact: unknown, levels: number): Json {
  if (typeof value === 'number') return (typeof exact === 'string' ? parseInteger(exact) : undefined) ?? value
  if (typeof value !== 'object' || value === null) return value as Json // `JSON.parse` returns no other types
  if (levels === 0) throw new RangeError('the JSON is nested too deeply')
  const exactTexts = Object(exact)
  if (Array.isArray(value)) return value.map((element, n) => toJson(element, exactTexts[n], levels - 1))
  const members: Json[] = []
  for (const [name, member] of Object.entries(value))
    members.push(name, toJson(member, exactTexts[name], levels - 1))
  // `slice` drops the unused capacity of the array.
  return members.length === 0 ? emptyObject : new JsonObject(members.slice())
}

/**
 * Returns the integer that a JSON number denotes, such as 7 for `7.0`. Returns `undefined` for a fraction, and above
 * 2^64.
 */
function parseInteger(text: string): bigint | undefined {
  const [mantissa = '', exponent = 0] = text.split(/e/i)
  const [whole = '', fraction = ''] = mantissa.split('.')
  const digits = whole + fraction
  if (!/[1-9]/.test(digits)) return 0n
  const pointIndex = Math.max(0, whole.length + Number(exponent))
  if (Math.abs(Number(text)) > 2 ** 64 || /[1-9]/.test(digits.slice(pointIndex))) return undefined
  return BigInt(digits.slice(0, pointIndex).padEnd(pointIndex, '0'))
}

/** A character range. `end` is exclusive. */
export interface Span {
  readonly start: number
  readonly end: number
}

const tokenPattern = /"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{}:,]|[^\s[\]{}:,"]+/g

/**
 * Finds the value at a path in a JSON text. The last member with a name counts. If the path does not exist, returns its
 * closest existing ancestor, with `isExact` as `false`.
 */
export function locate(text: string, path: JsonPath): Span & { readonly isExact: boolean } {
  const tokens = text.matchAll(tokenPattern)
  let at = 0
  const readToken = (): string => {
    const { 0: token, index } = tokens.next().value ?? { 0: '', index: text.length }
    at = index + token.length
    return token
  }
  const walkPath = (first: string, [name, ...rest]: JsonPath): ReturnType<typeof locate> => {
    const tokenStart = at - first.length
    let found: ReturnType<typeof locate> | undefined
    if (first === '[' || first === '{') {
      let token = readToken()
      for (let index = 0; token !== ']' && token !== '}' && token !== ''; index++) {
        const ownKey = first === '[' ? index : JSON.parse(token)
        if (first === '{') {
          readToken()
          token = readToken()
        }
        if (ownKey === name) found = walkPath(token, rest)
        else skipValue(token)
        token = readToken()
        if (token === ',') token = readToken()
      }
    }
    return found ?? { start: tokenStart, end: at, isExact: name === undefined }
  }
  const skipValue = (first: string): void => {
    let depth = 0
    for (let token = first; ; token = readToken()) {
      if (token === '[' || token === '{') depth += 1
      else if (token === ']' || token === '}') depth -= 1
      if (depth === 0) return
    }
  }
  return walkPath(readToken(), path)
}

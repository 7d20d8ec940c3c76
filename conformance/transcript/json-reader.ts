import { type Json, JsonObject, type JsonPath } from './json.ts'

/** A part of a text, from its first character to the one behind its last. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** The deepest level of nesting. */
const deepest = 1000
/** An integer of more digits is read as a `number`; an int64 has at most 19. */
const mostDigits = 60
/** A number, or as much of it as is there. */
const numberStart = /-?(?:(?:0|[1-9]\d*)(?:\.(?:\d+(?:[eE][+-]?\d*)?)?|[eE][+-]?\d*)?)?/y
const numberForm = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/
/** All that a string may contain, apart from quotation marks and escapes. */
const plainCharacters = /[ !#-[\]-\uffff]*/y
const literals: readonly (readonly [word: string, value: Json])[] = [
  ['true', true],
  ['false', false],
  ['null', null],
]
/** The values of every empty array and object, of which a list may have hundreds of thousands. */
const emptyArray: readonly Json[] = Object.freeze([])
const emptyObject = new JsonObject(emptyArray)

/** Reads one text, and finds where the values on a path are. */
class Reader {
  readonly #text: string
  readonly #path: JsonPath
  /** The values that the path leads through, by their depth, and the one it leads to. */
  readonly found: Span[] = []
  /** How far the text was read. */
  at = 0

  constructor(text: string, path: JsonPath) {
    this.#text = text
    this.#path = path
  }

  /** @throws {SyntaxError} The text is not JSON, or is nested too deep. */
  document(): Json {
    const value = this.#value(0, true)
    return this.#next() === undefined ? value : this.#fail()
  }

  #value(depth: number, isOnPath: boolean): Json {
    const first = this.#next()
    const start = this.at
    // of members with one name, the last counts
    if (isOnPath) this.found.length = depth
    const value =
      first === '[' || first === '{' ? this.#container(first, depth, isOnPath) : this.#scalar(first)
    if (isOnPath) this.found[depth] = { start, end: this.at }
    return value
  }

  #container(first: '[' | '{', depth: number, isOnPath: boolean): Json {
    if (depth >= deepest) this.#fail()
    const isArray = first === '['
    const end = isArray ? ']' : '}'
    this.at += 1
    if (this.#consume(end)) return isArray ? emptyArray : emptyObject
    const next = isOnPath ? this.#path[depth] : undefined
    const values: Json[] = []
    do {
      const name = isArray ? values.length : this.#name()
      if (typeof name === 'string') values.push(name)
      values.push(this.#value(depth + 1, name === next))
    } while (this.#consume(','))
    if (!this.#consume(end)) this.#fail()
    // an array that has grown takes more memory than its values
    return isArray ? values.slice() : new JsonObject(values.slice())
  }

  #name(): string {
    const name = this.#next() === '"' ? this.#string() : this.#fail()
    return this.#consume(':') ? name : this.#fail()
  }

  #scalar(first: string | undefined): Json {
    if (first === '"') return this.#string()
    const literal = literals.find(([word]) => word[0] === first && this.#text.startsWith(word, this.at))
    if (literal === undefined) return this.#number()
    this.at += literal[0].length
    return literal[1]
  }

  #string(): string {
    const text = this.#text
    const start = this.at
    let end = endOf(plainCharacters, text, start + 1)
    const isPlain = text[end] === '"'
    while (text[end] === '\\') end = endOf(plainCharacters, text, end + 2)
    if (text[end] !== '"') this.#fail()
    this.at = end + 1
    // JSON.parse decodes the escapes, and throws a SyntaxError if one is invalid
    return isPlain ? text.slice(start + 1, end) : JSON.parse(text.slice(start, end + 1))
  }

  #number(): bigint | number {
    const start = this.at
    this.at = endOf(numberStart, this.#text, start)
    const text = this.#text.slice(start, this.at)
    return /\d$/.test(text) ? numberOf(text) : this.#fail()
  }

  #consume(character: string): boolean {
    const isThere = this.#next() === character
    if (isThere) this.at += 1
    return isThere
  }

  /** Returns the next character that is not white space, without consuming it; `undefined` at the end. */
  #next(): string | undefined {
    for (; ; this.at++) {
      const character = this.#text[this.at]
      if (character !== ' ' && character !== '\n' && character !== '\r' && character !== '\t')
        return character
    }
  }

  #fail(): never {
    throw new SyntaxError(`no JSON at ${this.at}`)
  }
}

function endOf(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from
  return pattern.test(text) ? pattern.lastIndex : from
}

/** Returns the value of a JSON number. An integer of at most 60 digits is a `bigint`. Takes linear time. */
function numberOf(text: string): bigint | number {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = numberForm.exec(text) ?? []
  const digits = whole + fraction
  const first = digits.search(/[1-9]/)
  if (first < 0) return 0n
  let end = digits.length
  // the pattern `0+$` would take quadratic time
  while (digits[end - 1] === '0') end -= 1
  const scale = Number(exponent) - fraction.length + digits.length - end
  if (scale < 0 || end - first + scale > mostDigits) return Number(text)
  return BigInt(sign + digits.slice(first, end) + '0'.repeat(scale))
}

/**
 * Reads a JSON text (RFC 8259) without losing a digit. `7`, `7.0` and `7e0` are the integer 7n, as in JSON Schema. Of
 * members with one name, the last counts. Takes time and memory linear in the text.
 *
 * @returns The value; `undefined` if the text is not JSON, or is nested deeper than 1,000 levels (RFC 8259, section 9,
 * allows such a limit).
 */
export function readJson(text: string): Json | undefined {
  return read(new Reader(text, []))
}

/** Returns the first character of a text that no JSON text has there; `undefined` if the text is JSON. */
export function invalidAt(text: string): number | undefined {
  const reader = new Reader(text, [])
  return read(reader) === undefined ? Math.min(reader.at, text.length) : undefined
}

/**
 * Returns where a value is in a JSON text, which `isExact` says, or else where its nearest parent is. Of members with
 * one name, the last counts. The text must be JSON. Takes time linear in the text.
 */
export function locate(text: string, path: JsonPath): (Span & { readonly isExact: boolean }) | undefined {
  const reader = new Reader(text, path)
  read(reader)
  const nearest = reader.found.at(-1)
  return nearest && { ...nearest, isExact: reader.found.length > path.length }
}

function read(reader: Reader): Json | undefined {
  try {
    return reader.document()
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

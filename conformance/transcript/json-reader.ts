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
const scalarForm = /(true|false|null)|(-?)(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?\d+))?/y
/** All that a string may contain, apart from quotation marks and escapes. */
const plainCharacters = /[ !#-[\]-\uffff]*/y
/** The shared values of empty arrays and objects: a list may have hundreds of thousands of them. */
const emptyArray: readonly Json[] = Object.freeze([])
const emptyObject = new JsonObject(emptyArray)

/** The result of reading one text. */
class Reading {
  readonly #text: string
  readonly #path: JsonPath
  /** The places of the values that the path leads through, by their depth, and of the one it leads to. */
  readonly found: Span[] = []
  /** The position of the next character to read. */
  at = 0
  /** The value; `undefined` if the text is not JSON. */
  readonly value: Json | undefined

  constructor(text: string, path: JsonPath = []) {
    this.#text = text
    this.#path = path
    try {
      const value = this.#value(0, true)
      this.value = this.#next() === undefined ? value : this.#fail()
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error
    }
  }

  #value(depth: number, isOnPath: boolean): Json {
    const first = this.#next()
    const start = this.at
    // of members with one name, the last counts
    if (isOnPath) this.found.length = depth
    let value: Json
    if (first === '[' || first === '{') value = this.#container(first, depth, isOnPath)
    else value = first === '"' ? this.#string() : this.#scalar()
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

  #scalar(): Json {
    scalarForm.lastIndex = this.at
    const parts = scalarForm.exec(this.#text) ?? this.#fail()
    this.at = scalarForm.lastIndex
    return parts[1] === undefined ? parseNumber(parts) : JSON.parse(parts[1])
  }

  #string(): string {
    const text = this.#text
    const start = this.at
    let end = this.#plainEnd(start + 1)
    const isPlain = text[end] === '"'
    while (text[end] === '\\') end = this.#plainEnd(end + 2)
    if (text[end] !== '"') this.#fail()
    this.at = end + 1
    // JSON.parse decodes the escapes, and throws a SyntaxError if one is invalid
    return isPlain ? text.slice(start + 1, end) : JSON.parse(text.slice(start, end + 1))
  }

  #plainEnd(from: number): number {
    plainCharacters.lastIndex = from
    return plainCharacters.test(this.#text) ? plainCharacters.lastIndex : from
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

/** Returns the value of a JSON number. An integer of at most 60 digits is a `bigint`. Takes linear time. */
function parseNumber([text, , sign, whole = '', fraction = '', exponent = '0']: RegExpExecArray):
  | bigint
  | number {
  const digits = (whole + fraction).replace(/^0+/, '')
  if (digits === '') return 0n
  const shift = Number(exponent) - fraction.length
  const isInteger = shift >= 0 || !/[^0]/.test(digits.slice(shift))
  if (!isInteger || digits.length + shift > mostDigits) return Number(text)
  return BigInt(sign + (shift < 0 ? digits.slice(0, shift) : digits + '0'.repeat(shift)))
}

/**
 * Reads a JSON text (RFC 8259) without losing a digit. `7`, `7.0` and `7e0` are the integer 7n, as in JSON Schema. Of
 * members with one name, the last counts. Takes time and memory linear in the text.
 *
 * @returns The value; `undefined` if the text is not JSON, or is nested deeper than 1,000 levels (RFC 8259, section 9,
 * allows such a limit).
 */
export function readJson(text: string): Json | undefined {
  return new Reading(text).value
}

/** Returns the place of the first JSON error in a text; `undefined` if the text is JSON. */
export function findInvalidPlace(text: string): number | undefined {
  const { value, at } = new Reading(text)
  return value === undefined ? Math.min(at, text.length) : undefined
}

/**
 * Returns where a value is in a JSON text, which `isExact` says, or else where its nearest parent is. Of members with
 * one name, the last counts. The text must be JSON. Takes time linear in the text.
 */
export function locate(text: string, path: JsonPath): (Span & { readonly isExact: boolean }) | undefined {
  const { found } = new Reading(text, path)
  const nearest = found.at(-1)
  return nearest && { ...nearest, isExact: found.length > path.length }
}

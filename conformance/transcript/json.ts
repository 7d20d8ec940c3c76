import { readNumber } from './json-number.ts'

/** A JSON value. An integer is a `bigint`, in every notation, so that no digit is lost. */
export type Json = null | boolean | string | bigint | number | readonly Json[] | JsonObject
export type JsonObject = ReadonlyMap<string, Json>

/**
 * Reads a JSON text (RFC 8259) without losing a digit. `7`, `7.0` and `7e0` are the integer 7n, as in JSON Schema. Of
 * members with one name, the last counts. Takes time and memory linear in the text.
 *
 * @returns The value; `undefined` if the text is not JSON, or is nested deeper than 1,000 levels (RFC 8259, section 9,
 * allows such a limit).
 */
export function readJson(text: string): Json | undefined {
  try {
    return new Reader(text).document()
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Whether a value is a JSON object. */
export function isObject(value: Json | undefined): value is JsonObject {
  return value instanceof Map
}

/** An array or an object that is not yet complete. */
type Open = Json[] | { readonly members: Map<string, Json>; name: string }

const literals: Readonly<Record<string, readonly [word: string, value: boolean | null]>> = {
  t: ['true', true],
  f: ['false', false],
  n: ['null', null],
}
const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
/** The deepest level of nesting. */
const deepest = 1000
const quote = 0x22
const space = 0x20
const backslash = 0x5c
/** The value of every empty object, of which a list may have hundreds of thousands. */
const empty: JsonObject = new Map()

/** Reads one text. An array holds the values that are not yet complete, as recursion could overflow the stack. */
class Reader {
  readonly #text: string
  readonly #open: Open[] = []
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  document(): Json {
    while (this.#open.length <= deepest) {
      const value = this.#value()
      const whole = value === undefined ? undefined : this.#place(value)
      if (whole !== undefined) return this.#next() === undefined ? whole : this.#fail()
    }
    return this.#fail()
  }

  /** Reads the next value; returns `undefined` after the start of an array or object that is not empty. */
  #value(): Json | undefined {
    const first = this.#next() ?? ''
    if (first === '"') return this.#string()
    if (first === '[') {
      this.#at += 1
      if (this.#consume(']')) return []
      this.#open.push([])
      return undefined
    }
    if (first === '{') {
      this.#at += 1
      if (this.#consume('}')) return empty
      this.#open.push({ members: new Map(), name: this.#name() })
      return undefined
    }
    if (first <= '9') return this.#number()
    const [word, literal] = literals[first] ?? []
    if (word === undefined || literal === undefined) return this.#fail()
    if (!this.#text.startsWith(word, this.#at)) return this.#fail()
    this.#at += word.length
    return literal
  }

  /** Adds a value to its parent, and so on for each parent that it completes. Returns the outermost value once it is complete. */
  #place(value: Json): Json | undefined {
    for (let complete = value; ; this.#open.pop()) {
      const parent = this.#open.at(-1)
      if (parent === undefined) return complete
      const isList = Array.isArray(parent)
      if (isList) parent.push(complete)
      else parent.members.set(parent.name, complete)
      if (this.#consume(',')) {
        if (!isList) parent.name = this.#name()
        return undefined
      }
      if (!this.#consume(isList ? ']' : '}')) return this.#fail()
      complete = isList ? parent : parent.members
    }
  }

  #name(): string {
    if (this.#next() !== '"') this.#fail()
    const name = this.#string()
    return this.#consume(':') ? name : this.#fail()
  }

  #string(): string {
    const text = this.#text
    const start = this.#at
    let isPlain = true
    let at = start + 1
    for (; ; at++) {
      const code = text.charCodeAt(at)
      if (code === quote) break
      if (!(code >= space)) this.#fail()
      if (code !== backslash) continue
      isPlain = false
      at += 1
    }
    this.#at = at + 1
    // JSON.parse decodes the escapes, and throws a SyntaxError if one is invalid
    return isPlain ? text.slice(start + 1, at) : JSON.parse(text.slice(start, at + 1))
  }

  #number(): bigint | number {
    number.lastIndex = this.#at
    const digits = number.exec(this.#text)?.[0] ?? this.#fail()
    this.#at += digits.length
    return readNumber(digits)
  }

  #consume(character: string): boolean {
    const isThere = this.#next() === character
    if (isThere) this.#at += 1
    return isThere
  }

  /** Returns the next character that is not white space, without consuming it. */
  #next(): string | undefined {
    const text = this.#text
    for (;;) {
      const character = text[this.#at]
      if (character !== ' ' && character !== '\n' && character !== '\r' && character !== '\t')
        return character
      this.#at += 1
    }
  }

  #fail(): never {
    throw new SyntaxError(`no JSON at ${this.#at}`)
  }
}

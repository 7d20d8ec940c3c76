import { type Json, JsonObject } from './json.ts'
import type { JsonPath } from './place.ts'

/** A part of a text, from its first character to the one behind its last. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** Where a value is, or its nearest parent if there is no such value. */
export interface Location extends Span {
  readonly isExact: boolean
}

/** The deepest level of nesting. */
const deepest = 1000
/** An integer of more digits is read as a `number`; an int64 has at most 19. */
const mostDigits = 60
/** A number of at most so many characters is an integer exactly if its double is one. */
const exactLength = 15
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
/** The values of every empty array and object, and of small integers, of which a list may have hundreds of thousands. */
const emptyArray: readonly Json[] = Object.freeze([])
const emptyObject = new JsonObject(emptyArray)
const small: readonly bigint[] = Array.from({ length: 1000 }, (_, value) => BigInt(value))

/** An array or an object that is not yet complete. */
interface Open {
  /** Where it begins in the text. */
  readonly start: number
  readonly end: ']' | '}'
  /** The number of values before its own. */
  readonly before: number
}

/**
 * Reads one text after the other. The values of all arrays and objects that are not yet complete are on one stack: recursion
 * could overflow that of the process, and an array that grows by itself takes more memory than its values.
 */
class Reader {
  #text = ''
  #at = 0
  #open: Open[] = []
  /** The values, and before each value of an object its name. */
  #values: Json[] = []
  /** The path of the value that is located, and where the values on it are, by their depth. */
  #path: JsonPath | undefined
  #found: Span[] = []

  /** How far the last text was read. */
  get stoppedAt(): number {
    return this.#at
  }

  /** @throws {SyntaxError} The text is not JSON, or is nested too deep. */
  read(text: string): Json {
    this.#text = text
    this.#at = 0
    try {
      return this.#document()
    } finally {
      this.#text = ''
      this.#open = []
      this.#values = []
    }
  }

  /** Reads a text, or its start up to an element of the outermost array, and returns where the values on a path are. */
  locate(text: string, path: JsonPath): readonly Span[] {
    this.#path = path
    this.#found = []
    try {
      this.read(text)
      return this.#found
    } finally {
      this.#path = undefined
    }
  }

  #document(): Json {
    while (this.#open.length <= deepest) {
      const first = this.#next()
      const start = this.#at
      if (this.#isOnPath()) this.#found.length = Math.min(this.#found.length, this.#open.length)
      const value = this.#value(first)
      const whole = value === undefined ? undefined : this.#place(value, start)
      if (whole !== undefined) return whole
    }
    return this.#fail()
  }

  /** Reads the next value; returns `undefined` after the start of an array or object that is not empty. */
  #value(first: string | undefined): Json | undefined {
    if (first === '"') return this.#string()
    if (first === '[' || first === '{') {
      const end = first === '[' ? ']' : '}'
      const start = this.#at
      this.#at += 1
      if (this.#consume(end)) return end === ']' ? emptyArray : emptyObject
      this.#open.push({ start, end, before: this.#values.length })
      if (end === '}') this.#name()
      return undefined
    }
    for (const [word, literal] of literals) {
      if (word[0] !== first || !this.#text.startsWith(word, this.#at)) continue
      this.#at += word.length
      return literal
    }
    return this.#number()
  }

  /**
   * Adds a value to its parent, and so on for each parent that it completes. Returns the outermost value once it is
   * complete, or any value once what is located is found: no later element of an array has its index.
   */
  #place(value: Json, from: number): Json | undefined {
    let [complete, start] = [value, from]
    for (;;) {
      if (this.#isOnPath()) {
        this.#found[this.#open.length] = { start, end: this.#at }
        if (this.#open.length === 1 && typeof this.#path?.[0] === 'number') return complete
      }
      const next = this.#next()
      const parent = this.#open.at(-1)
      if (parent === undefined) return next === undefined ? complete : this.#fail()
      if (next !== ',' && next !== parent.end) this.#fail()
      this.#values.push(complete)
      this.#at += 1
      if (next === ',') {
        if (parent.end === '}') this.#name()
        return undefined
      }
      this.#open.pop()
      const values = this.#values.splice(parent.before)
      complete = parent.end === '}' ? new JsonObject(values) : values
      start = parent.start
    }
  }

  /** Whether the value that is read is one that the path leads through, or to. */
  #isOnPath(): boolean {
    const [path, open] = [this.#path, this.#open]
    if (path === undefined || open.length > path.length) return false
    return open.every(({ before, end }, depth) => {
      const next = open[depth + 1]?.before ?? this.#values.length
      return path[depth] === (end === ']' ? next - before : this.#values[next - 1])
    })
  }

  #name(): void {
    if (this.#next() !== '"') this.#fail()
    this.#values.push(this.#string())
    if (!this.#consume(':')) this.#fail()
  }

  #string(): string {
    const text = this.#text
    const start = this.#at
    let end = endOf(plainCharacters, text, start + 1)
    const isPlain = text[end] === '"'
    while (text[end] === '\\') end = endOf(plainCharacters, text, end + 2)
    if (text[end] !== '"') this.#fail()
    this.#at = end + 1
    // JSON.parse decodes the escapes, and throws a SyntaxError if one is invalid
    return isPlain ? text.slice(start + 1, end) : JSON.parse(text.slice(start, end + 1))
  }

  #number(): bigint | number {
    const start = this.#at
    this.#at = endOf(numberStart, this.#text, start)
    const text = this.#text.slice(start, this.#at)
    return /\d$/.test(text) ? numberOf(text) : this.#fail()
  }

  #consume(character: string): boolean {
    const isThere = this.#next() === character
    if (isThere) this.#at += 1
    return isThere
  }

  /** Returns the next character that is not white space, without consuming it; `undefined` at the end. */
  #next(): string | undefined {
    for (; ; this.#at++) {
      const character = this.#text[this.#at]
      if (character !== ' ' && character !== '\n' && character !== '\r' && character !== '\t')
        return character
    }
  }

  #fail(): never {
    throw new SyntaxError(`no JSON at ${this.#at}`)
  }
}

function endOf(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from
  return pattern.test(text) ? pattern.lastIndex : from
}

/** Returns the value of a JSON number. An integer of at most 60 digits is a `bigint`. Takes linear time. */
function numberOf(text: string): bigint | number {
  if (text.length <= exactLength) {
    const value = Number(text)
    if (value !== 0 && !Number.isInteger(value)) return value
    if (value !== 0 && Number.isSafeInteger(value)) return small[value] ?? BigInt(value)
  }
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

/** The reader of all texts. V8 discards the compiled code of a class that has no instances. */
const reader = new Reader()

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

/** Returns the first character of a text that no JSON text has there; `undefined` if the text is JSON. */
export function invalidAt(text: string): number | undefined {
  return readJson(text) === undefined ? Math.min(reader.stoppedAt, text.length) : undefined
}

/**
 * Returns where a value is in a JSON text; if there is none, where its nearest parent is. Of members with one name, the
 * last counts. The text must be JSON. Takes time linear in the text.
 */
export function locate(text: string, path: JsonPath): Location | undefined {
  const found = reader.locate(text, path)
  const nearest = found.at(-1)
  return nearest && { ...nearest, isExact: found.length > path.length }
}

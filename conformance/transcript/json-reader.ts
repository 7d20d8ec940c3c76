import { integer, readNumber } from './json-number.ts'
import { type Json, JsonObject } from './json-object.ts'

const quote = 0x22
const comma = 0x2c
const plus = 0x2b
const minus = 0x2d
const point = 0x2e
const zero = 0x30
const nine = 0x39
const colon = 0x3a
const openBracket = 0x5b
const backslash = 0x5c
const closeBracket = 0x5d
const letterE = 0x65
const openBrace = 0x7b
const closeBrace = 0x7d
const space = 0x20
/** An integer of so many digits is exact as a double. */
const mostExactDigits = 15
/** The deepest level of nesting. */
const deepest = 1000
const literals = [
  ['true', true],
  ['false', false],
  ['null', null],
] as const
/** The values of every empty array and object, of which a list may have hundreds of thousands. */
const emptyArray: readonly Json[] = Object.freeze([])
const emptyObject = new JsonObject(emptyArray)

/**
 * Reads one text after the other. The values of all arrays and objects that are not yet complete are on one stack: recursion
 * could overflow that of the process, and an array that grows by itself takes more memory than its values.
 */
class Reader {
  #text = ''
  #at = 0
  /** For each array and object that is not yet complete, the character that ends it. */
  #ends: number[] = []
  /** For each of them, the number of values before its own. */
  #starts: number[] = []
  #values: Json[] = []
  #size = 0

  #stoppedAt = 0

  /** How far the last text was read. */
  get stoppedAt(): number {
    return this.#stoppedAt
  }

  /** @throws {SyntaxError} The text is not JSON, or is nested too deep. */
  read(text: string): Json {
    this.#text = text
    try {
      return this.#document()
    } finally {
      this.#stoppedAt = this.#at
      this.#text = ''
      this.#at = 0
      this.#ends = []
      this.#starts = []
      this.#values = []
      this.#size = 0
    }
  }

  #document(): Json {
    while (this.#ends.length <= deepest) {
      const value = this.#value()
      const whole = value === undefined ? undefined : this.#place(value)
      if (whole !== undefined) return this.#at === this.#text.length ? whole : this.#fail()
    }
    return this.#fail()
  }

  /** Reads the next value; returns `undefined` after the start of an array or object that is not empty. */
  #value(): Json | undefined {
    const first = this.#next()
    if (first === quote) return this.#string()
    if (first === openBracket) {
      this.#at += 1
      if (this.#consume(closeBracket)) return emptyArray
      this.#open(closeBracket)
      return undefined
    }
    if (first === openBrace) {
      this.#at += 1
      if (this.#consume(closeBrace)) return emptyObject
      this.#open(closeBrace)
      this.#name()
      return undefined
    }
    if ((first >= zero && first <= nine) || first === minus) return this.#number()
    for (const [word, literal] of literals) {
      if (!this.#text.startsWith(word, this.#at)) continue
      this.#at += word.length
      return literal
    }
    return this.#fail()
  }

  /** Adds a value to its parent, and so on for each parent that it completes. Returns the outermost value once it is complete. */
  #place(value: Json): Json | undefined {
    for (let complete = value; ; ) {
      const next = this.#next()
      const end = this.#ends.at(-1)
      if (end === undefined) return complete
      this.#push(complete)
      if (next !== comma && next !== end) this.#fail()
      this.#at += 1
      if (next === end) complete = this.#close()
      else {
        if (end === closeBrace) this.#name()
        return undefined
      }
    }
  }

  #open(end: number): void {
    this.#ends.push(end)
    this.#starts.push(this.#size)
  }

  #close(): readonly Json[] | JsonObject {
    const start = this.#starts.pop() ?? 0
    const values = this.#values.slice(start, this.#size)
    this.#size = start
    return this.#ends.pop() === closeBrace ? new JsonObject(values) : values
  }

  #push(value: Json): void {
    this.#values[this.#size] = value
    this.#size += 1
  }

  #name(): void {
    if (this.#next() !== quote) this.#fail()
    this.#push(this.#string())
    if (!this.#consume(colon)) this.#fail()
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
    const start = this.#at
    if (this.#text.charCodeAt(start) === minus) this.#at += 1
    const whole = this.#at
    const value = this.#digits()
    const length = this.#at - whole
    if (length > 1 && this.#text.charCodeAt(whole) === zero) this.#fail()
    /** How many zeros an integer has behind these digits. */
    let zeros = 0
    if (this.#text.charCodeAt(this.#at) === point) {
      zeros = Number.NaN
      this.#at += 1
      this.#digits()
    }
    if ((this.#text.charCodeAt(this.#at) | 0x20) === letterE) {
      this.#at += 1
      const sign = this.#text.charCodeAt(this.#at)
      if (sign === plus || sign === minus) this.#at += 1
      const exponent = this.#digits()
      zeros = sign === minus ? Number.NaN : zeros + exponent
    }
    if (length + zeros <= mostExactDigits) {
      const size = value * 10 ** zeros
      return integer(whole === start ? size : -size)
    }
    return readNumber(this.#text.slice(start, this.#at))
  }

  /** Reads one or more digits. Returns their value, inexact if there are many. */
  #digits(): number {
    const start = this.#at
    let value = 0
    for (; ; this.#at++) {
      const code = this.#text.charCodeAt(this.#at)
      if (!(code >= zero && code <= nine)) break
      value = value * 10 + code - zero
    }
    return this.#at === start ? this.#fail() : value
  }

  #consume(character: number): boolean {
    const isThere = this.#next() === character
    if (isThere) this.#at += 1
    return isThere
  }

  /** Returns the code of the next character that is not white space, without consuming it; NaN at the end. */
  #next(): number {
    const text = this.#text
    for (; this.#at < text.length; this.#at++) {
      const code = text.charCodeAt(this.#at)
      if (code !== space && code !== 0x0a && code !== 0x0d && code !== 0x09) return code
    }
    return Number.NaN
  }

  #fail(): never {
    throw new SyntaxError(`no JSON at ${this.#at}`)
  }
}

/** The reader of all texts. V8 discards the compiled code of a class that has no instances. */
export const reader: Reader = new Reader()

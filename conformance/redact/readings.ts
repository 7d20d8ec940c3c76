import { unescaped } from './escapes.ts'
import { codeTable, mapped, Stream } from './stream.ts'

const visible = codeTable((character) => (/[!-~]/.test(character) ? character.toLowerCase() : undefined))

const ofCharacters = ['plain', 'visible', 'alphanumeric', 'base64'] as const

/** The characters that each reading retains, in lower case. */
const tables: Readonly<Record<(typeof ofCharacters)[number], Int16Array>> = {
  plain: codeTable((character) => character.toLowerCase()),
  visible,
  alphanumeric: codeTable((character) => (/[a-z0-9]/i.test(character) ? character.toLowerCase() : undefined)),
  /** The alphabet of base64 (RFC 4648, section 4). The characters of base64url (section 5) are converted to it. */
  base64: codeTable((character) =>
    /[a-z0-9+/_-]/i.test(character) ? character.toLowerCase().replace('-', '+').replace('_', '/') : undefined,
  ),
}

/** A way to read a text: as characters, without escapes, or as the codes of `bytes`. */
export type ReadingName = (typeof ofCharacters)[number] | 'bytes'

/** The characters of a text under one reading. */
export interface Reading {
  readonly name: ReadingName
  readonly stream: Stream
}

/** Returns the named readings of a text, one after the other. Each takes linear time. */
export function* readings(text: string, names: ReadonlySet<ReadingName>): Generator<Reading> {
  const plain = unescaped(text)
  for (const name of ofCharacters) {
    if (names.has(name)) yield { name, stream: mapped(plain, tables[name]) }
  }
  if (!names.has('bytes')) return
  const digits = hexDigits(text)
  for (const offset of [0, 1]) yield { name: 'bytes', stream: fromHex(digits, offset) }
  // octal codes follow a backslash
  for (const radix of text.includes('\\') ? [10, 8] : [10]) {
    const numbers = numbersIn(text, radix)
    yield { name: 'bytes', stream: mapped(numbers, visible) }
    // in {"0":112,"1":97}, every other number is a code
    for (const offset of [0, 1]) yield { name: 'bytes', stream: mapped(everyOther(numbers, offset), visible) }
  }
}

/** Returns the hexadecimal digits of a text, without the characters between them and without `0x`. */
function hexDigits(text: string): Stream {
  const stream = new Stream(text.length)
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x30 && (text.charCodeAt(at + 1) | 0x20) === 0x78) at += 1
    else if (hexValue(code) >= 0) stream.push(hexValue(code), at, at + 1)
  }
  return stream
}

function hexValue(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30
  const letter = code | 0x20
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1
}

function fromHex(digits: Stream, offset: number): Stream {
  const stream = new Stream(digits.length >> 1)
  for (let at = offset; at + 1 < digits.length; at += 2) {
    const byte = (digits.code(at) << 4) | digits.code(at + 1)
    const code = visible[byte] ?? -1
    // skips NUL, which UTF-16 and UTF-32 have between letters
    if (code >= 0) stream.push(code, digits.start(at), digits.end(at + 1))
  }
  return stream
}

/** Returns the characters whose codes are the whole numbers in a text. */
function numbersIn(text: string, radix: number): Stream {
  const stream = new Stream((text.length >> 1) + 1)
  const isDigit = (code: number): boolean => code >= 0x30 && code < 0x30 + radix
  for (let at = 0; at < text.length; at++) {
    if (!isDigit(text.charCodeAt(at))) continue
    const start = at
    let value = 0
    for (; isDigit(text.charCodeAt(at)); at++)
      value = Math.min(128, value * radix + text.charCodeAt(at) - 0x30)
    stream.push(value, start, at)
  }
  return stream
}

function everyOther(numbers: Stream, offset: number): Stream {
  const stream = new Stream((numbers.length >> 1) + 1)
  for (let at = offset; at < numbers.length; at += 2) {
    stream.push(numbers.code(at), numbers.start(at), numbers.end(at))
  }
  return stream
}

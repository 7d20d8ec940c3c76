import { unescaped } from './escapes.ts'
import { codeTable, mapped, Stream } from './stream.ts'

const visible = codeTable((character) => (/[!-~]/.test(character) ? character.toLowerCase() : undefined))

const ofCharacters = ['plain', 'visible', 'alphanumeric', 'base64'] as const

/** What counts of the characters of a text; all are in lower case. */
const tables: Readonly<Record<(typeof ofCharacters)[number], Int16Array>> = {
  plain: codeTable((character) => character.toLowerCase()),
  visible,
  alphanumeric: codeTable((character) => (/[a-z0-9]/i.test(character) ? character.toLowerCase() : undefined)),
  /** The alphabet of RFC 4648, section 4, to which that of section 5 is brought. */
  base64: codeTable((character) =>
    /[a-z0-9+/_-]/i.test(character) ? character.toLowerCase().replace('-', '+').replace('_', '/') : undefined,
  ),
}

/** A way to read a text: its own characters without escapes, or `bytes`, of which it has the codes. */
export type ReadingName = (typeof ofCharacters)[number] | 'bytes'

/** What a text says when it is read in one way. */
export interface Reading {
  readonly name: ReadingName
  readonly stream: Stream
}

/** Reads a text in every way in which a server may have written a key, by their names. Each takes linear time. */
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
    // the numbers of {"0":112,"1":97} stand at every other place
    for (const offset of [0, 1]) yield { name: 'bytes', stream: mapped(everyOther(numbers, offset), visible) }
  }
}

/** The hexadecimal digits of a text, whatever stands between them; the `0x` before them is left out. */
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
    // a text in UTF-16 or UTF-32 has NUL between its letters
    if (code >= 0) stream.push(code, digits.start(at), digits.end(at + 1))
  }
  return stream
}

/** The whole numbers of a text as the characters that they are the codes of. */
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

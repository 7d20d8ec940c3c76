import { endOfDigits, numberAt } from './digits.ts'

/** What an escape is decoded to: the code of a character, and where the escape ends in the text. */
export interface Decoded {
  set(code: number, end: number): void
}

const space = 0x20
const percent = 0x25
const ampersand = 0x26
const backslash = 0x5c
const lineBreaksAndTabs = 'nrtbf'
/** The names of characters in HTML and XML, except for `amp`. */
const named: ReadonlyMap<string, number> = new Map([
  ['lt', 0x3c],
  ['gt', 0x3e],
  ['quot', 0x22],
  ['apos', 0x27],
])
const longestName = 4

/** Whether an escape can start with a character. */
export function startsEscape(code: number): boolean {
  return code === backslash || code === percent || code === ampersand
}

/** Decodes the escape that starts at a place of a text. Sets nothing if there is none. Takes time linear in the escape. */
export function decodeEscape(text: string, start: number, decoded: Decoded): void {
  const code = text.charCodeAt(start)
  if (code === backslash) decodeBackslash(text, start, decoded)
  else if (code === percent) decodePercent(text, start + 1, decoded)
  else if (code === ampersand) decodeReference(text, start + 1, decoded)
}

/** JSON, JavaScript and C. Backslashes are doubled each time a text is quoted. */
function decodeBackslash(text: string, start: number, decoded: Decoded): void {
  const at = afterAll(text, start, '\\')
  const letter = text.charAt(at)
  const isUnicode = letter === 'u' || letter === 'U'
  if (letter === '') decoded.set(backslash, at)
  else if (isUnicode && hasHex(text, at + 1, 4)) decoded.set(numberAt(text, at + 1, at + 5, 16), at + 5)
  else if ((letter === 'x' || letter === 'X') && hasHex(text, at + 1, 2))
    decoded.set(numberAt(text, at + 1, at + 3, 16), at + 3)
  else {
    decoded.set(lineBreaksAndTabs.includes(letter) ? space : text.charCodeAt(at), at + 1)
    if (isUnicode && text[at + 1] === '{') decodeBraces(text, at + 2, decoded)
  }
}

/** The part of `\u{70}` after the brace. */
function decodeBraces(text: string, start: number, decoded: Decoded): void {
  const digits = afterAll(text, start, '0')
  const end = endOfDigits(text, digits, 6, 16)
  if (end > start && text[end] === '}') decoded.set(numberAt(text, digits, end, 16), end + 1)
}

/** URLs (RFC 3986, section 2.1). Encoded again, `%` becomes `%25`. */
function decodePercent(text: string, start: number, decoded: Decoded): void {
  const at = afterAll(text, start, '25')
  if (hasHex(text, at, 2)) decoded.set(numberAt(text, at, at + 2, 16), at + 2)
  // nothing is encoded by the last `%25`
  else if (at > start) decoded.set(percent, at)
}

/** Character references of HTML. Escaped again, `&` becomes `&amp;`. */
function decodeReference(text: string, start: number, decoded: Decoded): void {
  const at = afterAll(text, start, 'amp;')
  // nothing may be escaped by the last `&amp;`
  if (at > start) decoded.set(ampersand, at)
  if (text[at] === '#') decodeCode(text, at + 1, decoded)
  else decodeName(text, at, decoded)
}

/** The part of `&#112;` or `&#x70;` after the `#`. */
function decodeCode(text: string, start: number, decoded: Decoded): void {
  const isHex = text[start] === 'x' || text[start] === 'X'
  const [first, most, radix] = isHex ? [start + 1, 6, 16] : [start, 7, 10]
  const digits = afterAll(text, first, '0')
  const end = endOfDigits(text, digits, most, radix)
  if (end > first) decoded.set(numberAt(text, digits, end, radix), text[end] === ';' ? end + 1 : end)
}

function decodeName(text: string, start: number, decoded: Decoded): void {
  let end = start
  while (end < start + longestName && isLetter(text.charCodeAt(end))) end += 1
  if (end === start || text[end] !== ';') return
  const code = named.get(text.slice(start, end).toLowerCase())
  if (code !== undefined) decoded.set(code, end + 1)
}

function hasHex(text: string, start: number, count: number): boolean {
  return endOfDigits(text, start, count, 16) === start + count
}

/** Returns the place after all parts that follow each other from a place on. Letters of the part are in lower case. */
function afterAll(text: string, start: number, part: string): number {
  let at = start
  while (isAt(text, at, part)) at += part.length
  return at
}

/** Whether a part is at a place of a text, in any case. */
function isAt(text: string, start: number, part: string): boolean {
  for (let n = 0; n < part.length; n++) {
    const code = text.charCodeAt(start + n)
    if ((isLetter(code) ? code | 0x20 : code) !== part.charCodeAt(n)) return false
  }
  return true
}

function isLetter(code: number): boolean {
  const letter = code | 0x20
  return letter >= 0x61 && letter <= 0x7a
}

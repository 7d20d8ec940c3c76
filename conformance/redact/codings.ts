/** One way to write a text: returns the texts in which a server that writes so has it, whatever stands around it. */
interface Coding {
  readonly write: (text: string) => readonly string[]
  /** Whether a text in this coding is looked for in the codings with `outer`, too. */
  readonly inner?: true
  /** Whether it is looked for around the codings with `inner`. */
  readonly outer?: true
}

/**
 * The codings in which a secret is looked for, besides the escapes that are decoded (`readingsOf`). The search skips all
 * but letters and digits, and takes no notice of case: hexadecimal stands for bytes with any separator, for percent-encoding
 * of every character, and for a Buffer as it is inspected; decimal stands for its JSON.
 */
const codings: readonly Coding[] = [
  { write: (text) => [text], inner: true },
  { write: (text) => [text.toLowerCase(), text.toUpperCase()], inner: true },
  { write: (text) => [text.replace(/[\s\S]/g, '$&\0')], inner: true }, // UTF-16
  { write: (text) => [encodeURIComponent(text), codes(text, 16, '%')], inner: true },
  { write: (text) => [codes(text, 16), codes(text, 16).toUpperCase()], inner: true, outer: true },
  { write: base64, inner: true, outer: true },
  { write: (text) => base64(text).map(urlSafe), inner: true },
  { write: base32, inner: true, outer: true },
  { write: (text) => [codes(text, 16, '0x'), codes(text, 16, 'u00')] },
  { write: (text) => [codes(text, 10), codes(text, 8), codes(text, 8, '\\', 3)] },
]

/** Returns every text that is looked for in place of a secret: in each coding, and in two of them. */
export function formsOf(secret: string): readonly string[] {
  const once = codings.flatMap(({ write }) => write(secret))
  const inner = codings.flatMap((coding) => (coding.inner ? coding.write(secret) : []))
  const twice = codings.flatMap(({ outer, write }) => (outer ? inner.flatMap(write) : []))
  return [...new Set([...once, ...twice])]
}

/** Returns the code of each character in a radix, of at least so many digits. */
function codes(text: string, radix: number, prefix = '', digits = radix === 16 ? 2 : 1): string {
  let written = ''
  for (let at = 0; at < text.length; at++)
    written += prefix + text.charCodeAt(at).toString(radix).padStart(digits, '0')
  return written
}

/** RFC 4648, section 4: the part of a text that does not depend on its neighbours, at each of three places. */
function base64(text: string): readonly string[] {
  return [0, 1, 2].map((place) => {
    const last = Math.floor(((place + text.length) * 4) / 3)
    return btoa('\0'.repeat(place) + text).slice(Math.ceil((place * 4) / 3), last)
  })
}

function urlSafe(text: string): string {
  return text.replaceAll('+', '-').replaceAll('/', '_')
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** RFC 4648, section 6: as in base64, at each of five places. */
function base32(text: string): readonly string[] {
  return [0, 1, 2, 3, 4].map((place) => {
    // the place before a text has this many bits in the group of five that the text begins in
    let missing = (5 - ((place * 8) % 5)) % 5
    let written = ''
    let [bits, count] = [0, 0]
    for (let at = 0; at < text.length; at++) {
      bits = ((bits << 8) | text.charCodeAt(at)) & 0xfff
      count += 8 - missing
      missing = 0
      for (; count >= 5; count -= 5) written += alphabet[(bits >> (count - 5)) & 31]
    }
    return written
  })
}

/** A text in which one character replaces each escape. */
export interface Reading {
  readonly text: string
  /** Returns where a character of it, or its end, is in the text that was read. */
  readonly place: (at: number) => number
}

/**
 * The escapes of JSON, JavaScript and C, also where a text is quoted again; of URLs (RFC 3986, section 2.1), also encoded
 * again; and of HTML, also escaped again. Each takes time linear in its length.
 */
const escapes =
  /\\+(?:u\{0*[\da-f]{1,6}\}|u[\da-f]{4}|x[\da-f]{2}|[^\\])?|%(?:25)*[\da-f]{2}|&(?:amp;)*(?:#x0*[\da-f]{1,6};?|#0*\d{1,7};?|(?:amp|lt|gt|quot|apos);)/gi
/** The escapes of C and of shells, such as `\160`. */
const octalEscape = /\\[0-3][0-7]{2}/g
/** The names of members in {"0":112,"1":97}. */
const index = /"\d+\\*"\s*:/g
/** Escapes within escapes are decoded so many times. */
const mostTimes = 3

/** Returns the readings of a text: as it is, and with its escapes decoded, up to three times. */
export function readingsOf(text: string): readonly Reading[] {
  const first: Reading = { text, place: (at) => at }
  const isOctal = text.search(octalEscape) >= 0
  return [
    ...decodedTimes(first),
    ...(isOctal ? decodedTimes(decoded(first, octalEscape, (octal) => characterOf(octal.slice(1), 8))) : []),
    ...(text.search(index) < 0 ? [] : [decoded(first, index, () => skipped)]),
  ]
}

function decodedTimes(first: Reading): readonly Reading[] {
  const readings = [first]
  for (let last = first; readings.length <= mostTimes && last.text.search(escapes) >= 0; ) {
    last = decoded(last, escapes, characterFor)
    readings.push(last)
  }
  return readings
}

/** What no search takes notice of. */
const skipped = '\0'

/** Returns what an escape stands for, if that is a letter or a digit. */
function characterFor(escaped: string): string {
  if (escaped.startsWith('%')) return characterOf(escaped.slice(-2), 16)
  // 0x70 is read as hexadecimal, 0112 as decimal
  if (escaped.startsWith('&')) {
    return String.fromCharCode(Number(`0${escaped.split('#')[1]?.replace(';', '')}`) || 0)
  }
  const letter = escaped.lastIndexOf('\\') + 1
  if (escaped.length > letter + 1) return characterOf(escaped.slice(letter + 1).replace('{', ''), 16)
  return 'nrtbf'.includes(escaped.slice(letter)) ? skipped : escaped.slice(letter)
}

function characterOf(digits: string, radix: number): string {
  return String.fromCharCode(Number.parseInt(digits, radix))
}

/** Returns a reading in which a character replaces each match of a pattern. */
function decoded({ text, place }: Reading, pattern: RegExp, character: (match: string) => string): Reading {
  let matches: readonly { readonly index: number; readonly length: number }[] | undefined
  return {
    text: text.replace(pattern, character),
    place(at) {
      matches ??= Array.from(text.matchAll(pattern), ({ index, 0: { length } }) => ({ index, length }))
      let before = at
      for (const { index, length } of matches) {
        if (index >= before) break
        before += length - 1
      }
      return place(before)
    },
  }
}

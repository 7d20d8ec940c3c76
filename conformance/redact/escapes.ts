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

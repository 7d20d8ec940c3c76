/** One way to write a text: returns the texts in which a server that writes so has it, whatever stands around it. */
interface Coding {
  readonly write: (text: string) => readonly string[]
  /** Whether a text in this coding is looked for in the codings with `outer`, too. */
  readonly inner?: true
  /** Whether it is looked for around the codings with `inner`. */
  readonly outer?: true
}

/**
 * The codings in which a secret is looked for, besides the escapes that are decoded (`escapes.ts`). The search skips all
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

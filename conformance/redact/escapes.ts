import { Stream } from './stream.ts'

/** A form of escape for a character. */
interface Escape {
  /** Matches an escape at one place. `code` receives its groups. */
  readonly form: RegExp
  /** Returns the code of the character that a match stands for. */
  readonly code: (groups: readonly (string | undefined)[]) => number
}

const space = 0x20
const named: Readonly<Record<string, number>> = { amp: 0x26, lt: 0x3c, gt: 0x3e, quot: 0x22, apos: 0x27 }

const hex = (digits: string): number => Number.parseInt(digits, 16)

/** The forms of escapes, by the code of their first character. */
const escapes: ReadonlyMap<number, Escape> = new Map([
  [
    // JSON, JavaScript and C; backslashes are doubled each time a text is quoted
    0x5c,
    {
      form: /\\+(?:u\{0*([\da-f]{1,6})\}|u([\da-f]{4})|x([\da-f]{2})|([^\\]))?/iy,
      code: ([, braced, four, two, other]) => {
        const digits = braced ?? four ?? two
        if (digits !== undefined) return hex(digits)
        return other === undefined ? 0x5c : 'nrtbf'.includes(other) ? space : other.charCodeAt(0)
      },
    },
  ],
  [
    // URLs (RFC 3986, section 2.1), also encoded several times
    0x25,
    { form: /%(?:25)*([\da-f]{2})/iy, code: ([, digits = '']) => hex(digits) },
  ],
  [
    // character references of HTML, also escaped several times
    0x26,
    {
      form: /&(?:amp;)*(?:#0*(\d{1,7});?|#x0*([\da-f]{1,6});?|(amp|lt|gt|quot|apos);)/iy,
      code: ([, decimal, digits, name = '']) => {
        if (decimal !== undefined) return Number(decimal)
        return digits === undefined ? (named[name.toLowerCase()] ?? 0) : hex(digits)
      },
    },
  ],
])

/** Returns a text in which characters replace the escapes of JSON, JavaScript, URLs and HTML. */
export function unescaped(text: string): Stream {
  const stream = new Stream(text.length)
  for (let at = 0; at < text.length; ) {
    const code = text.charCodeAt(at)
    const kind = code === 0x5c || code === 0x25 || code === 0x26 ? escapes.get(code) : undefined
    if (kind !== undefined) kind.form.lastIndex = at
    const groups = kind?.form.exec(text) ?? undefined
    const end = at + (groups?.[0].length ?? 1)
    stream.push(kind === undefined || groups === undefined ? code : kind.code(groups), at, end)
    at = end
  }
  return stream
}

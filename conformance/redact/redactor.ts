/** @internal A text that must not be stored, and the placeholder that replaces it. */
export interface Secret {
  readonly value: string
  readonly placeholder: string
}

/** A shorter secret is replaced only as a word of its own, and in no coding, as other texts contain it. */
const leastOfPart = 8

/**
 * Returns a function that replaces secrets in a text: as they are, with characters that are percent-encoded or escaped
 * as in JSON, in hexadecimal, and in base64 with whatever around them. Each of these in upper and in lower case, and in
 * one coding only: a secret that is encoded twice is not found.
 */
export function createRedactor(secrets: readonly Secret[]): (text: string) => string {
  // a longer one may begin with a shorter one
  const all = secrets.filter(({ value }) => value !== '').sort((a, b) => b.value.length - a.value.length)
  if (all.length === 0) return (text) => text
  const pattern = new RegExp(all.map(({ value }) => `(${listForms(value).join('|')})`).join('|'), 'gi')
  return (text) =>
    text.replace(pattern, (match, ...groups) => all[groups.indexOf(match)]?.placeholder ?? '[a secret]')
}

/** Returns the patterns of a secret in each coding. */
function listForms(value: string): readonly string[] {
  const plain = [...value].map((one) => `(?:${listCharacterForms(one).join('|')})`).join('')
  if (value.length < leastOfPart) return [`(?<![a-z\\d])${plain}(?![a-z\\d])`]
  const bytes = new TextEncoder().encode(value)
  // apart: a backslash before one that is optional would make the search take exponential time
  const quoted = [...JSON.stringify(value).slice(1, -1)].map(escaped).join('')
  return [plain, quoted, [...bytes].map(hex).join(''), ...base64(bytes)]
}

/** A character as it is, percent-encoded (RFC 3986, section 2.1), and escaped as in JSON, once or twice. */
function listCharacterForms(character: string): readonly string[] {
  const percent = [...new TextEncoder().encode(character)].map((byte) => `%${hex(byte)}`).join('')
  const inJson = Array.from(
    { length: character.length },
    (_, at) => `\\\\{1,2}u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
  ).join('')
  return [character === '/' ? '\\\\{0,2}/' : escaped(character), percent, inJson]
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
}

function hex(byte: number): string {
  return byte.toString(16).padStart(2, '0')
}

/** RFC 4648: the part of the text that its neighbours do not change, at each of three places, in both alphabets. */
function base64(bytes: Uint8Array): readonly string[] {
  const text = String.fromCharCode(...bytes)
  return [0, 1, 2].map((place) => {
    const last = Math.floor(((place + text.length) * 4) / 3)
    const part = btoa('\0'.repeat(place) + text).slice(Math.ceil((place * 4) / 3), last)
    return part.replaceAll('+', '[+-]').replaceAll('/', '[/_]')
  })
}

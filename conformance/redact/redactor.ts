/** @internal A text to redact, and the placeholder that replaces it. */
export interface Secret {
  readonly value: string
  readonly placeholder: string
}

/**
 * Minimum length of secrets that are redacted inside words and in encoded form, in characters. Other texts often
 * contain shorter ones.
 */
const minPartLength = 8

/**
 * Creates a function that replaces secrets in a text. A secret is found in plain text, percent-encoding, JSON escapes,
 * hexadecimal and base64, in upper and lower case. A secret that is encoded twice is not found.
 */
export function createRedactor(secrets: readonly Secret[]): (text: string) => string {
  // The longest secret is replaced first, because it may contain a shorter secret.
  const sortedSecrets = secrets
    .filter(({ value }) => value !== '')
    .sort((a, b) => b.value.length - a.value.length)
  if (sortedSecrets.length === 0) return (text) => text
  const pattern = new RegExp(
    sortedSecrets.map(({ value }) => `(${listForms(value).join('|')})`).join('|'),
    'gi',
  )
  return (text) =>
    text.replace(
      pattern,
      (match, ...groups) => sortedSecrets[groups.indexOf(match)]?.placeholder ?? '[a secret]',
    )
}

/** Lists a secret's encoded forms, as regular expressions. */
function listForms(value: string): readonly string[] {
  const plainPattern = [...value].map((one) => `(?:${listCharacterForms(one).join('|')})`).join('')
  if (value.length < minPartLength) return [`(?<![a-z\\d])${plainPattern}(?![a-z\\d])`]
  const bytes = new TextEncoder().encode(value)
  // The JSON form is a separate alternative. Optional backslashes would make matching exponential.
  const quotedPattern = [...JSON.stringify(value).slice(1, -1)].map(escapeRegExp).join('')
  return [plainPattern, quotedPattern, [...bytes].map(toHex).join(''), ...listBase64Forms(bytes)]
}

/**
 * Lists a character's forms: plain, percent-encoded (RFC 3986, section 2.1), and as a JSON escape with one or two
 * backslashes.
 */
function listCharacterForms(character: string): readonly string[] {
  const percent = [...new TextEncoder().encode(character)].map((byte) => `%${toHex(byte)}`).join('')
  const inJson = Array.from(
    { length: character.length },
    (_, at) => `\\\\{1,2}u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
  ).join('')
  return [character === '/' ? '\\\\{0,2}/' : escapeRegExp(character), percent, inJson]
}

function escapeRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
}

function toHex(byte: number): string {
  return byte.toString(16).padStart(2, '0')
}

/**
 * Lists a secret's base64 forms (RFC 4648). Preceding bytes shift the encoding, so there are three forms. Each form
 * lacks the characters that also depend on adjacent bytes, and matches both alphabets.
 */
function listBase64Forms(bytes: Uint8Array): readonly string[] {
  const binaryText = String.fromCharCode(...bytes)
  return [0, 1, 2].map((place) => {
    const lastIndex = Math.floor(((place + binaryText.length) * 4) / 3)
    const part = btoa('\0'.repeat(place) + binaryText).slice(Math.ceil((place * 4) / 3), lastIndex)
    return part.replaceAll('+', '[+-]').replaceAll('/', '[/_]')
  })
}

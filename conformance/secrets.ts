/** The credentials of a run. */
export interface Secrets {
  readonly key: string
  readonly throttleKey: string | undefined
  /** Drawn for the run; no deployment has ever issued it. */
  readonly unknownKey: string
}

/** What stands in a transcript in a secret's place; the first two are what a shell puts the keys back in for. */
export const placeholders: Required<{ readonly [name in keyof Secrets]: string }> = {
  key: '$PET_ADOPTION_API_KEY',
  throttleKey: '$PET_ADOPTION_THROTTLE_KEY',
  unknownKey: 'an-unknown-key',
}

/** Below this a base64 or hex form would match by chance. */
const leastEncoded = 6
/** Below this a key is taken for one only where it stands alone: it may be a part of other words. */
const leastInWords = 8
const wordStart = '(?<=^|[^A-Za-z0-9]|%[0-9a-f]{2}|\\\\u[0-9a-f]{4}|\\\\[nrt])'

/**
 * Makes a function that replaces every secret in a text, however a server has echoed it: plain, in another case,
 * percent-encoded, escaped for JSON, JavaScript or HTML, or within hex or base64 of a longer text.
 */
export function createRedactor(secrets: Secrets): (text: string) => string {
  const patterns = Object.entries(placeholders).flatMap(([name, placeholder]) => {
    // the placeholders have the names of the secrets
    const secret = secrets[name as keyof Secrets]
    return secret === undefined ? [] : forms(secret).map((form) => ({ form, placeholder }))
  })
  return (text) =>
    patterns.reduce((clean, { form, placeholder }) => clean.replace(form, () => placeholder), text)
}

function forms(secret: string): readonly RegExp[] {
  const escaped = [...secret].map(anySpelling).join('')
  const plain = secret.length < leastInWords ? `${wordStart}${escaped}(?![A-Za-z0-9])` : escaped
  const hex = [...secret].map(hexOf).join('')
  const encoded = [0, 1, 2].map((offset) => base64Core(secret, offset)).map(eitherAlphabet)
  return [
    new RegExp(plain, 'gi'),
    ...(hex.length < leastEncoded ? [] : [new RegExp(hex, 'gi')]),
    ...encoded.filter(({ length }) => length >= leastEncoded).map((form) => new RegExp(form, 'g')),
  ]
}

/** A pattern for one character in any spelling that JSON, a URL, JavaScript or HTML has for it. */
function anySpelling(character: string): string {
  const hex = hexOf(character)
  const named = { '&': '|&amp;', '<': '|&lt;', '>': '|&gt;', '"': '|&quot;', "'": '|&apos;' }[character] ?? ''
  const code = character.charCodeAt(0)
  return `(?:\\\\{0,4}${literal(character)}|%(?:25)?${hex}|\\\\{1,4}u00${hex}|\\\\{1,4}x${hex}|&#0*${code};|&#x0*${hex};${named})`
}

/** The part of a text's base64 that is the same whatever stands before it (`offset` bytes past a group) and after. */
function base64Core(secret: string, offset: number): string {
  const encoded = btoa('\0'.repeat(offset) + secret)
  const first = Math.ceil((offset * 4) / 3)
  const last = Math.floor(((offset + secret.length) * 4) / 3)
  return encoded.slice(first, last)
}

function eitherAlphabet(base64: string): string {
  return base64.replace(/[+/]/g, (character) => (character === '+' ? '[+-]' : '[/_]'))
}

function hexOf(character: string): string {
  return character.charCodeAt(0).toString(16).padStart(2, '0')
}

function literal(character: string): string {
  return character.replace(/[\\^$.*+?()[\]{}|/-]/, '\\$&')
}

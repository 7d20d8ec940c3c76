import { type Alphabet, alphabets } from './alphabets.ts'
import { Characters } from './characters.ts'
import { Groups } from './groups.ts'
import type { Spelling } from './run-finder.ts'
import type { Secret } from './secret.ts'

/** So many consecutive characters of a secret are replaced; of a shorter secret, the whole. */
const leastReplaced = 12
/** The length of twelve characters in base64, without the first and the last one, which depend on their neighbours. */
const leastReplacedInBase64 = 15
/** A shorter spelling is not searched for, as other texts may contain it. */
export const leastSpelled = 8

/** Returns how secrets are spelled in a text, by the alphabets in which to read its characters. */
export function characterSpellings(secrets: readonly Secret[]): readonly Spelling[] {
  const { visible, alphanumeric, base64 } = alphabets
  return [
    spelling(secrets, visible, leastReplaced, (secret) => [spelledIn(secret, visible)]),
    spelling(secrets, alphanumeric, leastReplaced, (secret) => [spelledIn(secret, alphanumeric)]),
    spelling(secrets, base64, leastReplacedInBase64, (secret) =>
      [secret, secret.toLowerCase(), secret.toUpperCase()]
        .flatMap((text) => [text, inUtf16(text)])
        .flatMap(base64Cores),
    ),
  ]
}

/** Returns how secrets are spelled in bytes. */
export function byteSpelling(secrets: readonly Secret[]): Spelling {
  return spelling(secrets, alphabets.visible, leastReplaced, (secret) => [
    secret.toLowerCase().replace(/[^!-~]/g, ''),
  ])
}

function spelling(
  secrets: readonly Secret[],
  alphabet: Alphabet,
  least: number,
  formsOf: (secret: string) => readonly string[],
): Spelling {
  const forms = secrets.map(({ value }) => formsOf(value).filter(({ length }) => length >= leastSpelled))
  return {
    alphabet,
    groups: new Groups(forms),
    secrets: secrets.map(({ placeholder }, n) => ({
      enough: Math.min(least, ...(forms[n] ?? []).map(({ length }) => length)),
      placeholder,
    })),
  }
}

/** Returns the characters of a text in an alphabet. */
function spelledIn(text: string, alphabet: Alphabet): string {
  const characters = new Characters()
  characters.begin(text)
  let spelled = ''
  while (characters.next()) {
    const code = alphabet[characters.code] ?? 0
    if (code !== 0) spelled += String.fromCharCode(code)
  }
  return spelled
}

/** Returns a text as the bytes of UTF-16, one character for each. */
function inUtf16(text: string): string {
  return [...text].map((character) => `${character}\0`).join('')
}

/** Returns the parts of a text in base64 that do not depend on its neighbours, in lower case. */
function base64Cores(text: string): readonly string[] {
  return [0, 1, 2].map((offset) => {
    const encoded = btoa('\0'.repeat(offset) + text)
    const first = Math.ceil((offset * 4) / 3)
    return encoded.slice(first, Math.floor(((offset + text.length) * 4) / 3)).toLowerCase()
  })
}

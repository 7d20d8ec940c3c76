/**
 * The characters that a reading retains. For each byte, the code in lower case that stands for it, or 0 for a character
 * that is skipped.
 */
export type Alphabet = Uint8Array

/** Letters count in both cases, as a server may change the case. Each alphabet skips what a server may write between them. */
export const alphabets: Readonly<Record<'visible' | 'alphanumeric' | 'base64', Alphabet>> = {
  /** Everything but white space and control characters. */
  visible: alphabet(/[!-~]/),
  alphanumeric: alphabet(/[a-z0-9]/i),
  /** RFC 4648, section 4. The characters of base64url (section 5) are converted to it. */
  base64: alphabet(/[a-z0-9+/_-]/i, { '-': '+', _: '/' }),
}

function alphabet(retained: RegExp, instead: Readonly<Record<string, string>> = {}): Alphabet {
  return Uint8Array.from({ length: 256 }, (_, code) => {
    const character = String.fromCharCode(code)
    return retained.test(character) ? (instead[character] ?? character.toLowerCase()).charCodeAt(0) : 0
  })
}

/** A parsed JSON document. */
export interface JsonDocument {
  readonly value: unknown
  /**
   * Returns a top-level member's number exactly as written, or `undefined` if the member is not a number. If the name
   * is repeated, the last member counts.
   */
  getNumberText(member: string): string | undefined
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Parses a JSON document in UTF-8 without a byte order mark (RFC 8259, 8.1). Returns `undefined` for any other bytes.
 */
export function parseJson(bytes: Uint8Array): JsonDocument | undefined {
  try {
    const documentText = decoder.decode(bytes)
    const value: unknown = JSON.parse(documentText)
    const getNumberText = (member: string) =>
      isObject(value) && typeof value[member] === 'number'
        ? (findNumberAtOnlyKey(documentText, member) ?? parseNumbersAsText(documentText)[member])
        : undefined
    return { value, getNumberText }
  } catch {
    return undefined
  }
}

/** Checks whether a value is an object other than `null` or an array. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Finds a number without parsing the document again, if its key occurs once and there are no escapes. Without this
 * function, `core createPet` takes 25 to 36 % more CPU time.
 */
function findNumberAtOnlyKey(text: string, member: string): string | undefined {
  const key = `"${member}"`
  const keyIndex = text.indexOf(key)
  if (keyIndex < 0 || keyIndex !== text.lastIndexOf(key) || text.includes('\\')) return undefined
  return /^\s*:\s*(-?\d[\d.eE+-]*)/.exec(text.slice(keyIndex + key.length))?.[1]
}

/** Parses a document, turning every number into a string. */
function parseNumbersAsText(text: string): Readonly<Record<string, string>> {
  // With escaped quotes written as `\u0022`, every quote begins or ends a string. A regular expression that loops over
  // escapes would overflow its stack.
  const escapedText = text.replaceAll(/\\["\\]/g, (pair) => (pair === '\\"' ? '\\u0022' : pair))
  return JSON.parse(
    escapedText.replaceAll(/("[^"]*"\s*:?\s*)(-?\d[\d.eE+-]*)?/g, (token, string, number) =>
      number ? `${string}"${number}"` : token,
    ),
  )
}

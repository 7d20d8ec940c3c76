/** A parsed JSON document that also gives access to the source text of its top-level numbers. */
export interface JsonDocument {
  readonly value: unknown
  /** Returns the source text of a number that is a member of the top-level object: the last one, if it is repeated. */
  numberText(member: string): string | undefined
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Parses a JSON document in UTF-8 (RFC 8259). Returns undefined for anything else, such as other bytes, a byte order
 * mark, or text after the document.
 */
export function parseJson(bytes: Uint8Array): JsonDocument | undefined {
  try {
    const text = decoder.decode(bytes)
    const value: unknown = JSON.parse(text)
    const numberText = (member: string) =>
      isObject(value) && typeof value[member] === 'number'
        ? (numberAtOnlyKey(text, member) ?? parseNumbersAsText(text)[member])
        : undefined
    return { value, numberText }
  } catch {
    return undefined
  }
}

/** Returns whether a value is a JSON object, and not an array. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * The fast path (+25 to 36 % CPU time of `core createPet` without it). If a text has no escape and contains the quoted
 * name once, that is the top-level member.
 */
function numberAtOnlyKey(text: string, member: string): string | undefined {
  const key = `"${member}"`
  const at = text.indexOf(key)
  if (at < 0 || at !== text.lastIndexOf(key) || text.includes('\\')) return undefined
  return /^\s*:\s*(-?\d[\d.eE+-]*)/.exec(text.slice(at + key.length))?.[1]
}

/** Parses a text that is known to be JSON again, with every number that follows a colon as a string. */
function parseNumbersAsText(text: string): Readonly<Record<string, string>> {
  // Without escaped quotes, a string ends at the next quote. An expression that loops over escapes would overflow its
  // stack.
  const plain = text.replaceAll(/\\["\\]/g, (pair) => (pair === '\\"' ? '\\u0022' : pair))
  return JSON.parse(
    plain.replaceAll(/("[^"]*"\s*:?\s*)(-?\d[\d.eE+-]*)?/g, (token, string, number) =>
      number ? `${string}"${number}"` : token,
    ),
  )
}

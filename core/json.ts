/** A JSON document, parsed once and with the source text of its top-level numbers at hand. */
export interface JsonDocument {
  readonly value: unknown
  /** The source text of a number that is a member of the top-level object: of the last one, where it is repeated. */
  numberText(member: string): string | undefined
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Parses a JSON document in UTF-8 (RFC 8259). Answers undefined for anything else: other bytes, a byte order mark,
 * something after the document.
 */
export function parseJson(bytes: Uint8Array): JsonDocument | undefined {
  try {
    const text = decoder.decode(bytes)
    return { value: JSON.parse(text), numberText: (member) => findNumber(text, member) }
  } catch {
    return undefined
  }
}

/** Where a string begins; brackets, colons, and the text of numbers. */
const tokens = /["{}[\]:]|-?\d[\d.eE+-]*/g

/** Reads a text that is known to be JSON. */
function findNumber(text: string, member: string): string | undefined {
  let depth = 0
  let found: string | undefined
  let last = ''
  let named = false
  tokens.lastIndex = 0
  for (let match = tokens.exec(text); match; match = tokens.exec(text)) {
    let [token] = match
    if (token === '"') {
      tokens.lastIndex = endOfString(text, match.index)
      token = text.slice(match.index, tokens.lastIndex)
    }
    if (token === '{' || token === '[') depth++
    else if (token === '}' || token === ']') depth--
    else if (depth === 1 && token === ':') {
      named = JSON.parse(last) === member
      continue
    } else if (named && token[0] !== '"') found = token
    named = false
    last = token
  }
  return found
}

/** A loop and not a regular expression, whose stack a long string of escapes would overflow. */
function endOfString(text: string, start: number): number {
  let i = start + 1
  while (text[i] !== '"') i += text[i] === '\\' ? 2 : 1
  return i + 1
}

/** A parsed JSON document that also gives access to the source text of its top-level numbers. */
export interface JsonDocument {
  readonly value: unknown
  /** Returns the source text of a number that is a member of the top-level object: of the last one, if it is repeated. */
  numberText(member: string): string | undefined
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Parses a JSON document in UTF-8 (RFC 8259). Returns undefined for anything else, such as other bytes, a byte order mark,
 * or text after the document.
 */
export function parseJson(bytes: Uint8Array): JsonDocument | undefined {
  try {
    const text = decoder.decode(bytes)
    const value: unknown = JSON.parse(text)
    const numberText = (member: string) =>
      hasNumber(value, member) ? (numberAtOnlyKey(text, member) ?? findNumber(text, member)) : undefined
    return { value, numberText }
  } catch {
    return undefined
  }
}

/** Whether a value is a JSON object, and not an array. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function hasNumber(value: unknown, member: string): boolean {
  return isObject(value) && typeof value[member] === 'number'
}

/** A colon and the number after it. */
const numberBehindColon = /\s*:\s*(-?\d[\d.eE+-]*)/y

function numberAt(text: string, index: number): string | undefined {
  numberBehindColon.lastIndex = index
  return numberBehindColon.exec(text)?.[1]
}

/**
 * The fast path, which saves a fifth of the time of createPet: if a text has no escape and contains the quoted name once,
 * that is the top-level member.
 */
function numberAtOnlyKey(text: string, member: string): string | undefined {
  const key = `"${member}"`
  const at = text.indexOf(key)
  if (at < 0 || at !== text.lastIndexOf(key) || text.includes('\\')) return undefined
  return numberAt(text, at + key.length)
}

/** Searches a text that is known to be a JSON object. */
function findNumber(text: string, member: string): string | undefined {
  let depth = 0
  let found: string | undefined
  let string = ''
  for (let i = 0; i < text.length; i++) {
    const character = text[i]
    if (character === '"') {
      const end = endOfString(text, i)
      string = text.slice(i, end)
      i = end - 1
    } else if (character === '{' || character === '[') depth++
    else if (character === '}' || character === ']') depth--
    else if (character === ':' && depth === 1 && spells(string, member)) found = numberAt(text, i) ?? found
  }
  return found
}

/** Whether a JSON string has a value. Only a string with an escape can spell it differently. */
function spells(string: string, value: string): boolean {
  return string.includes('\\') ? JSON.parse(string) === value : string === `"${value}"`
}

/** A loop: a long string of escapes would overflow the stack of a regular expression. */
function endOfString(text: string, start: number): number {
  let i = start + 1
  while (text[i] !== '"') i += text[i] === '\\' ? 2 : 1
  return i + 1
}

import { formsOf, readingsOf } from './codings.ts'
import { lengthOf, type Part, Parts } from './parts.ts'

const dropped = '[not stored: it repeats keys too often]'
/** A shorter form is not searched for in parts, as other texts may contain it. */
const leastOfForm = 8
/** A text with more words that are secrets is not stored. */
const mostWords = 64

/**
 * Returns a function that replaces secrets in a text, in every form in which a server may write them: see `codings.ts`. It
 * replaces parts that share 12 consecutive letters and digits with a form; of a secret of 8 to 11, all; a shorter one only as
 * a word of its own. Takes time linear in the text.
 */
export function createRedactor(secrets: readonly Secret[]): (text: string) => string {
  const parts = new Parts(
    secrets.map(({ value }) =>
      value.length < leastOfForm ? [] : formsOf(value).filter((form) => lengthOf(form) >= leastOfForm),
    ),
  )
  const words = secrets.flatMap(({ value }, secret) =>
    lengthOf(value) < leastOfForm ? [{ secret, length: value.length, pattern: wordPattern(value) }] : [],
  )
  return (text) => {
    const found: Part[] = []
    for (const reading of readingsOf(text)) {
      const longer = parts.find(reading.text)
      const shorter = words.flatMap(({ pattern, length, secret }) =>
        placesOf(pattern, reading.text).map((start) => ({ start, end: start + length, secret })),
      )
      if (longer === undefined || shorter.length > mostWords) return dropped
      for (const part of [...longer, ...shorter]) {
        const { start, end, secret } = withEnds(part, reading.text, secrets[part.secret]?.value ?? '')
        found.push({ start: reading.place(start), end: reading.place(end), secret })
      }
    }
    return replaced(text, merged(found), secrets)
  }
}

/** Returns a part with the punctuation that the secret begins and ends with, where that is around it. */
function withEnds({ start, end, secret }: Part, text: string, value: string): Part {
  const before = /^[^a-z\d]*/i.exec(value)?.[0] ?? ''
  const after = /[^a-z\d]*$/i.exec(value)?.[0] ?? ''
  return {
    start: text.endsWith(before, start) ? start - before.length : start,
    end: text.startsWith(after, end) ? end + after.length : end,
    secret,
  }
}

/** A short secret, in any case, but not as a part of a longer word. */
function wordPattern(value: string): RegExp {
  const literal = value.replace(
    /[\s\S]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  return new RegExp(`(?<![a-z\\d])(?=${literal}(?![a-z\\d]))`, 'gi')
}

function placesOf(pattern: RegExp, text: string): readonly number[] {
  const places: number[] = []
  for (const { index } of text.matchAll(pattern)) {
    places.push(index)
    if (places.length > mostWords) break
  }
  return places
}

/** Returns parts in the order of the text. Adjacent ones become one. */
function merged(parts: readonly Part[]): readonly Part[] {
  const result: Part[] = []
  for (const next of parts.toSorted((a, b) => a.start - b.start)) {
    const last = result.at(-1)
    if (last === undefined || next.start > last.end) result.push(next)
    else result[result.length - 1] = { ...last, end: Math.max(last.end, next.end) }
  }
  return result
}

function replaced(text: string, parts: readonly Part[], secrets: readonly Secret[]): string {
  let from = 0
  const pieces = parts.map(({ start, end, secret }) => {
    const before = text.slice(from, start)
    from = end
    return before + (secrets[secret]?.placeholder ?? '')
  })
  return pieces.join('') + text.slice(from)
}

/** A text that must not be stored, and the placeholder that replaces it. */
export interface Secret {
  readonly value: string
  readonly placeholder: string
}

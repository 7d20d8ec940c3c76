import { type ReadingName, readings } from './readings.ts'
import { merged, type Replacement, replaced } from './replace.ts'
import { createRunFinder, type FindRuns } from './runs.ts'
import { textOf } from './stream.ts'
import { createWordFinder } from './words.ts'

/** A text that must not be stored, and the placeholder that replaces it. */
export interface Secret {
  readonly value: string
  readonly placeholder: string
}

/** So many consecutive characters of a secret are replaced. */
const leastReplaced = 12
/** The length of twelve characters in base64, without the first and the last one, which depend on their neighbours. */
const leastReplacedInBase64 = 15
/** A shorter secret is replaced only as a word of its own, as other words may contain it. */
const leastInWords = 8
/** A text with more parts of a secret is dropped: it is made to evade the redaction. */
const mostReplaced = 64
const dropped = '[not stored: it repeats keys too often]'

/**
 * Returns a function that replaces secrets in a text, in every form in which a server may write them: plain, in another
 * case, split, escaped, as codes of bytes, in hexadecimal or base64. Under each of these readings it replaces parts that
 * share 12 consecutive characters with a secret; of a secret of 8 to 11 characters, the whole. Takes time linear in the
 * text.
 */
export function createRedactor(secrets: readonly Secret[]): (text: string) => string {
  const finders = secrets.flatMap(({ value, placeholder }) =>
    findersOf(value).map(([name, find]) => ({ name, find, placeholder })),
  )
  const names = new Set(finders.map(({ name }) => name))
  return (text) => {
    const found: Replacement[] = []
    for (const { name, stream } of readings(text, names)) {
      for (const finder of finders) {
        if (finder.name !== name) continue
        const ranges = finder.find(stream)
        if (ranges.length > mostReplaced) return dropped
        found.push(...ranges.map((range) => ({ ...range, placeholder: finder.placeholder })))
      }
    }
    return found.length === 0 ? text : replaced(text, merged(found))
  }
}

/** Returns the readings in which to search for a secret, each with the function that finds it. */
function findersOf(secret: string): readonly (readonly [name: ReadingName, find: FindRuns])[] {
  if (secret.length < leastInWords) return [['plain', createWordFinder(secret.toLowerCase())]]
  const names = ['visible', 'alphanumeric'] as const
  const own = [...readings(secret, new Set(names))].map(
    ({ name, stream }) => [name, [textOf(stream)], leastReplaced] as const,
  )
  const cases = [secret, secret.toLowerCase(), secret.toUpperCase()]
  const spellings: readonly (readonly [name: ReadingName, texts: readonly string[], most: number])[] = [
    ...own,
    ['base64', cases.flatMap((text) => [text, wide(text)]).flatMap(base64Cores), leastReplacedInBase64],
    ['bytes', [secret.toLowerCase().replace(/[^!-~]/g, '')], leastReplaced],
  ]
  return spellings
    .filter(([, [text = '']]) => text.length >= leastInWords)
    .map(([name, texts, most]) => [name, createRunFinder(texts, most)])
}

/** Returns a text as the bytes of UTF-16. */
function wide(text: string): string {
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

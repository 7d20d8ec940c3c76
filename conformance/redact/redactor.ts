import { type ReadingName, readings } from './readings.ts'
import { merged, type Replacement, replaced } from './replace.ts'
import { createRunFinder, type FindRuns } from './runs.ts'
import { textOf } from './stream.ts'
import { createWordFinder } from './words.ts'

/** A text that is to be kept nowhere, and what stands in its place. */
export interface Secret {
  readonly value: string
  readonly placeholder: string
}

/** So many characters of a secret in a row are too many to keep. */
const mostKept = 12
/** What twelve characters come to in base64, its first and its last character apart: these depend on what is around. */
const mostKeptInBase64 = 15
/** A secret of fewer characters is one only where it stands alone: it may be a part of other words. */
const leastInWords = 8
/** A text with more parts of a secret than this is dropped: it is made to get something past the redaction. */
const mostReplaced = 64
const dropped = '[not stored: it repeats keys too often]'

/**
 * Makes a function that takes secrets out of a text, however a server has written them: plain, in another case, split,
 * escaped, as codes of bytes, in hexadecimal or base64. Whatever shares 12 characters in a row with a secret under one of
 * these readings is replaced, or the whole of a secret that has 8 to 11. Takes time linear in the text.
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

/** The readings in which a secret is looked for, and how. */
function findersOf(secret: string): readonly (readonly [name: ReadingName, find: FindRuns])[] {
  if (secret.length < leastInWords) return [['plain', createWordFinder(secret.toLowerCase())]]
  const names = ['visible', 'alphanumeric'] as const
  const own = [...readings(secret, new Set(names))].map(
    ({ name, stream }) => [name, [textOf(stream)], mostKept] as const,
  )
  const cases = [secret, secret.toLowerCase(), secret.toUpperCase()]
  const spellings: readonly (readonly [name: ReadingName, texts: readonly string[], most: number])[] = [
    ...own,
    ['base64', cases.flatMap((text) => [text, wide(text)]).flatMap(base64Cores), mostKeptInBase64],
    ['bytes', [secret.toLowerCase().replace(/[^!-~]/g, '')], mostKept],
  ]
  return spellings
    .filter(([, [text = '']]) => text.length >= leastInWords)
    .map(([name, texts, most]) => [name, createRunFinder(texts, most)])
}

/** A text as UTF-16 has it. */
function wide(text: string): string {
  return [...text].map((character) => `${character}\0`).join('')
}

/** The parts of a text's base64 that are the same whatever stands before and after it, in lower case. */
function base64Cores(text: string): readonly string[] {
  return [0, 1, 2].map((offset) => {
    const encoded = btoa('\0'.repeat(offset) + text)
    const first = Math.ceil((offset * 4) / 3)
    return encoded.slice(first, Math.floor(((offset + text.length) * 4) / 3)).toLowerCase()
  })
}

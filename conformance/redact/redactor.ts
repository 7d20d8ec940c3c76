import { readHex, readNumbers } from './bytes.ts'
import { Characters } from './characters.ts'
import type { Finder } from './finder.ts'
import { merged, replaced } from './replace.ts'
import { RunFinder } from './run-finder.ts'
import { mostReplaced } from './runs.ts'
import type { Secret } from './secret.ts'
import { byteSpelling, characterSpellings, leastSpelled } from './spellings.ts'
import { WordFinder } from './word-finder.ts'

const dropped = '[not stored: it repeats keys too often]'

/**
 * Returns a function that replaces secrets in a text, in every form in which a server may write them: plain, in another
 * case, split, escaped, as codes of bytes, in hexadecimal or base64. Under each of these readings it replaces parts that
 * share 12 consecutive characters with a secret; of a secret of 8 to 11 characters, the whole; a shorter one only as a word
 * of its own. Takes time linear in the text, and memory for what it finds.
 */
export function createRedactor(secrets: readonly Secret[]): (text: string) => string {
  const words = secrets.filter(({ value }) => value.length < leastSpelled)
  const keys = secrets.filter((secret) => !words.includes(secret))
  const ofBytes = byteSpelling(keys)
  const bytes = (): RunFinder => new RunFinder(ofBytes)
  const hex = [bytes(), bytes()] as const
  const decimal = [bytes(), bytes(), bytes()] as const
  const octal = [bytes(), bytes(), bytes()] as const
  const plain: readonly Finder[] = [
    ...words.map((word) => new WordFinder(word)),
    ...characterSpellings(keys).map((spelling) => new RunFinder(spelling)),
  ]
  const finders = [...plain, ...hex, ...decimal, ...octal]
  const characters = new Characters()
  return (text) => {
    characters.begin(text)
    while (characters.next()) {
      for (const finder of plain) finder.push(characters.code, characters.start, characters.end)
    }
    readHex(text, hex)
    readNumbers(text, 10, decimal)
    // octal codes follow a backslash
    if (text.includes('\\')) readNumbers(text, 8, octal)
    const found = finders.flatMap((finder) => finder.finish())
    if (found.some(({ length }) => length > mostReplaced)) return dropped
    const parts = found.flat()
    return parts.length === 0 ? text : replaced(text, merged(parts))
  }
}

import type { Finder } from './finder.ts'
import type { Replacement } from './replace.ts'
import type { Secret } from './secret.ts'

/** The most characters of a word, as one bit of a number stands for each. */
const mostOfWord = 8

/** Finds a word of at most eight characters, but not as a part of another word. */
export class WordFinder implements Finder {
  #found: Replacement[] = []
  /** For each code, the places in the word that have it, one bit for each. */
  readonly #places = new Uint8Array(128)
  readonly #lastBit: number
  readonly #placeholder: string
  readonly #length: number
  readonly #starts = new Uint32Array(mostOfWord)
  #count = 0
  /** The beginnings of the word that end at the last character, by their length, one bit for each. */
  #beginnings = 0
  #isInWord = false
  #end = 0

  constructor({ value, placeholder }: Secret) {
    const word = value.toLowerCase()
    for (let at = 0; at < word.length; at++) {
      const code = word.charCodeAt(at)
      this.#places[code] = (this.#places[code] ?? 0) | (1 << at)
    }
    this.#placeholder = placeholder
    this.#length = word.length
    this.#lastBit = 1 << (word.length - 1)
  }

  push(code: number, start: number, end: number): void {
    const letter = code >= 0x41 && code <= 0x5a ? code | 0x20 : code
    const isInWord = (letter >= 0x61 && letter <= 0x7a) || (letter >= 0x30 && letter <= 0x39)
    if (!isInWord) this.#endWord()
    // Shift-And of Baeza-Yates and Gonnet
    const longer = (this.#beginnings << 1) | (this.#isInWord ? 0 : 1)
    this.#beginnings = longer & (this.#places[letter] ?? 0)
    this.#starts[this.#count % mostOfWord] = start
    this.#count += 1
    this.#isInWord = isInWord
    this.#end = end
  }

  finish(): readonly (readonly Replacement[])[] {
    this.#endWord()
    const found = this.#found
    this.#found = []
    this.#beginnings = 0
    this.#isInWord = false
    return [found]
  }

  /** Collects the word if the last character completes it. */
  #endWord(): void {
    if ((this.#beginnings & this.#lastBit) === 0) return
    const start = this.#starts[(this.#count - this.#length) % mostOfWord] ?? 0
    this.#found.push({ start, end: this.#end, placeholder: this.#placeholder })
  }
}

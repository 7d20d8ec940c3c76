import { type Decoded, decodeEscape, startsEscape } from './escapes.ts'

/** Reads a text character by character, where one character replaces each escape. Stores nothing but the current character. */
export class Characters implements Decoded {
  /** The ASCII code of the current character; 0 for every other character. */
  code = 0
  /** Where the current character, or its escape, starts in the text, and where it ends. */
  start = 0
  end = 0
  #text = ''

  /** Begins with a text. */
  begin(text: string): void {
    this.#text = text
    this.end = 0
  }

  /** Reads the next character. Returns whether there is one. */
  next(): boolean {
    const start = this.end
    if (start >= this.#text.length) return false
    this.start = start
    const code = this.#text.charCodeAt(start)
    this.set(code, start + 1)
    if (startsEscape(code)) decodeEscape(this.#text, start, this)
    return true
  }

  set(code: number, end: number): void {
    this.code = code < 128 ? code : 0
    this.end = end
  }
}

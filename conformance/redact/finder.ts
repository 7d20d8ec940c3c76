import type { Replacement } from './replace.ts'

/**
 * Searches one reading of a text for parts of secrets. A finder is used for one text after the other: V8 discards the
 * compiled code of a class that has no instances, and compiling it again takes longer than searching a body.
 */
export interface Finder {
  /** Adds the next character of the reading, a byte, and its place in the text. */
  push(code: number, start: number, end: number): void
  /** Ends the reading. Returns the parts found, for each secret apart. The next reading can begin. */
  finish(): readonly (readonly Replacement[])[]
}

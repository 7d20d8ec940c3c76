import { group } from './groups.ts'
import type { Replacement } from './replace.ts'

/** A text with more parts of a secret is not stored at all, so no more are collected. */
export const mostReplaced = 64
const mostCollected = mostReplaced + 1

/** The longest gap within a run: a secret without one of its characters is still a secret. */
const mostBetween = 1

/**
 * Joins the groups of one secret that are found in a reading to runs, and collects the runs that are long enough. One
 * character of a run may be wrong, missing or additional.
 */
export class Runs {
  #found: Replacement[] = []
  readonly #enough: number
  readonly #placeholder: string
  /** The numbers of the first and the last character of the current run, and the places in the text where they start and end. */
  #first = 0
  #last = -1
  #start = 0
  #end = 0
  /** The length of the run before it, how many characters are between them, and where that run starts. */
  #lengthBefore = 0
  #between = 0
  #startBefore = 0

  /** @param enough The length of the shortest run that is collected. */
  constructor(enough: number, placeholder: string) {
    this.#enough = enough
    this.#placeholder = placeholder
  }

  /**
   * Adds the next group.
   *
   * @param last The number of its last character in the reading.
   * @param start Where it starts in the text.
   * @param end Where it ends in the text.
   */
  add(last: number, start: number, end: number): void {
    const first = last - group + 1
    if (first > this.#last) {
      this.#close()
      this.#lengthBefore = this.#last - this.#first + 1
      this.#between = first - this.#last - 1
      this.#startBefore = this.#start
      this.#first = first
      this.#start = start
    }
    this.#last = last
    this.#end = end
  }

  /** Ends the reading. Returns the runs that are long enough. The next reading can begin. */
  finish(): readonly Replacement[] {
    this.#close()
    const found = this.#found
    this.#found = []
    this.#first = 0
    this.#last = -1
    this.#lengthBefore = 0
    return found
  }

  /** Collects the current run, which no group extends. */
  #close(): void {
    const length = this.#last - this.#first + 1
    const both = this.#between <= mostBetween && this.#lengthBefore > 0 ? this.#lengthBefore + length : 0
    if (Math.max(length, both) < this.#enough || this.#found.length === mostCollected) return
    const start = both >= this.#enough ? this.#startBefore : this.#start
    this.#found.push({ start, end: this.#end, placeholder: this.#placeholder })
  }
}

import type { Alphabet } from './alphabets.ts'
import type { Finder } from './finder.ts'
import { type Groups, group, next } from './groups.ts'
import type { Replacement } from './replace.ts'
import { Runs } from './runs.ts'

/** Secrets as they are spelled in one alphabet. */
export interface Spelling {
  readonly alphabet: Alphabet
  readonly groups: Groups
  /** For each secret, the length of the shortest run that is replaced, and what replaces it. */
  readonly secrets: readonly { readonly enough: number; readonly placeholder: string }[]
}

/**
 * Finds where a reading shares consecutive characters with secrets. It takes a table look-up for each character, and stores
 * the places of the last four.
 */
export class RunFinder implements Finder {
  readonly #alphabet: Alphabet
  readonly #groups: Groups
  readonly #runs: readonly Runs[]
  /** Where the last characters start. */
  readonly #starts = new Uint32Array(group)
  #code = 0
  #length = 0

  constructor({ alphabet, groups, secrets }: Spelling) {
    this.#alphabet = alphabet
    this.#groups = groups
    this.#runs = secrets.map(({ enough, placeholder }) => new Runs(enough, placeholder))
  }

  push(code: number, start: number, end: number): void {
    const character = this.#alphabet[code] ?? 0
    if (character === 0) return
    const at = this.#length
    this.#length = at + 1
    this.#starts[at & 3] = start
    this.#code = next(this.#code, character)
    const owners = this.#groups.owners(this.#code)
    if (owners !== 0) this.#add(owners, at, end)
  }

  finish(): readonly (readonly Replacement[])[] {
    this.#code = 0
    this.#length = 0
    return this.#runs.map((runs) => runs.finish())
  }

  #add(owners: number, last: number, end: number): void {
    const start = this.#starts[(last + 1) & 3] ?? 0
    for (let n = 0; n < this.#runs.length; n++) {
      if ((owners & (1 << n)) !== 0) this.#runs[n]?.add(last, start, end)
    }
  }
}

import type { Stream } from './stream.ts'

/** A part of a text. */
export interface Range {
  readonly start: number
  readonly end: number
}

/** Returns the parts of a text that contain parts of a secret. */
export type FindRuns = (stream: Stream) => readonly Range[]

/** The length of the groups of characters that are compared. */
const group = 4
/** The longest gap within a run: a secret without one of its characters is still a secret. */
const mostBetween = 1

/**
 * Returns a function that finds where a stream shares at least `least` consecutive characters with a secret. One of them
 * may be wrong, missing or additional. Takes linear time for every secret and stream.
 *
 * @param secrets The spellings of the secret in a stream.
 * @param least The shortest run, at least `group`; a shorter spelling is found as a whole.
 */
export function createRunFinder(secrets: readonly string[], least: number): FindRuns {
  const groups = createGroups(secrets)
  const enough = Math.min(least, ...secrets.map(({ length }) => length))
  return (stream) => {
    const found: Range[] = []
    let code = 0
    let run: Run = { first: 0, last: -1 }
    let before = run
    const close = (): void => {
      const isNear = lengthOf(before) > 0 && run.first - before.last - 1 <= mostBetween
      const first = isNear && lengthOf(before) + lengthOf(run) >= enough ? before.first : run.first
      if (lengthOf(run) >= enough || first !== run.first) {
        found.push({ start: stream.start(first), end: stream.end(run.last) })
      }
      before = run
    }
    const { codes, length } = stream
    for (let at = 0; at < length; at++) {
      code = next(code, codes[at] ?? 0)
      if (at < group - 1 || !groups.has(code)) continue
      const first = at - group + 1
      if (first <= run.last) run = { first: run.first, last: at }
      else {
        close()
        run = { first, last: at }
      }
    }
    close()
    return found
  }
}

/** Places in a stream, including the last one. */
interface Run {
  readonly first: number
  readonly last: number
}

function lengthOf({ first, last }: Run): number {
  return last - first + 1
}

/** A set of groups of characters, each as a number. */
interface Groups {
  has(code: number): boolean
}

/** Returns the groups of texts: a hash table with open addressing, twenty times as fast as a Set. */
function createGroups(texts: readonly string[]): Groups {
  const size = texts.reduce((sum, { length }) => sum + length, 0)
  // at least half of the places are free
  const table = new Int32Array(2 ** Math.max(16, Math.ceil(Math.log2(2 * size + 1))))
  const mask = table.length - 1
  /** Returns the place of a group, or the free place for it. */
  const place = (code: number): number => {
    let at = (Math.imul(code, 0x9e3779b1) >>> 8) & mask
    while (table[at] !== 0 && table[at] !== code) at = (at + 1) & mask
    return at
  }
  for (const text of texts) {
    let code = 0
    for (let at = 0; at < text.length; at++) {
      code = next(code, text.charCodeAt(at))
      if (at >= group - 1) table[place(code)] = code
    }
  }
  return { has: (code) => code !== 0 && table[place(code)] === code }
}

/** Returns the last characters of a group and one more, with seven bits for each. */
function next(code: number, character: number): number {
  return ((code << 7) | character) & (2 ** (7 * group) - 1)
}

import type { Stream } from './stream.ts'

/** A part of a text. */
export interface Range {
  readonly start: number
  readonly end: number
}

/** Finds parts of a secret in a stream. */
export type FindRuns = (stream: Stream) => readonly Range[]

/** Runs are found by the groups of so many characters that they share with the secret. */
const group = 4
/** Between two runs that count as one: all of a secret but a character is still a secret. */
const mostBetween = 1

/**
 * Makes a function that finds where a stream shares `least` characters or more with a secret, in a row but for one
 * character that may be wrong, missing or too many. Takes linear time, whatever the secret and the stream.
 *
 * @param secrets The spellings of the secret that are looked for, as they stand in a stream.
 * @param least At least `group`; the whole spelling counts where it is shorter.
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

/** Places in a stream, the last one included. */
interface Run {
  readonly first: number
  readonly last: number
}

function lengthOf({ first, last }: Run): number {
  return last - first + 1
}

/** The groups of characters of some texts, as numbers. */
interface Groups {
  has(code: number): boolean
}

/** A set for questions about each of a million characters: a table with open places, twenty times as fast as a Set. */
function createGroups(texts: readonly string[]): Groups {
  const size = texts.reduce((sum, { length }) => sum + length, 0)
  // at least half of the places stay free
  const table = new Int32Array(2 ** Math.max(16, Math.ceil(Math.log2(2 * size + 1))))
  const mask = table.length - 1
  /** Where a group is, or the free place where it would be. */
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

/** The last characters with one more, seven bits for each. */
function next(code: number, character: number): number {
  return ((code << 7) | character) & (2 ** (7 * group) - 1)
}

import type { FindRuns, Range } from './runs.ts'
import type { Stream } from './stream.ts'

/** Returns a function that finds a word, but not as a part of another word. */
export function createWordFinder(word: string): FindRuns {
  const codes = [...word].map((character) => character.charCodeAt(0))
  return (stream) => {
    const found: Range[] = []
    for (let at = 0; at + codes.length <= stream.length; at++) {
      const end = at + codes.length
      const isThere = codes.every((code, n) => stream.code(at + n) === code)
      if (!isThere || (at > 0 && isInWord(stream, at - 1)) || (end < stream.length && isInWord(stream, end)))
        continue
      found.push({ start: stream.start(at), end: stream.end(end - 1) })
    }
    return found
  }
}

function isInWord(stream: Stream, at: number): boolean {
  return /[a-z0-9]/.test(String.fromCharCode(stream.code(at)))
}

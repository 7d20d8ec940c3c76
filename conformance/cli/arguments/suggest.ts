/** Returns the candidate that a misspelt word probably means, at most two letters away; `undefined` if there is none. */
export function suggest(word: string, candidates: readonly string[]): string | undefined {
  const within = (edits: number): string | undefined =>
    candidates.find((candidate) => candidate.length > edits && isNear(word, candidate, edits))
  return within(1) ?? within(2)
}

/** Whether so many letters to insert, remove or replace make one word the other. */
function isNear(a: string, b: string, edits: number): boolean {
  if (a === b) return true
  if (a !== '' && a[0] === b[0]) return isNear(a.slice(1), b.slice(1), edits)
  if (edits === 0) return false
  const [restOfA, restOfB] = [a.slice(1), b.slice(1)]
  return isNear(restOfA, b, edits - 1) || isNear(a, restOfB, edits - 1) || isNear(restOfA, restOfB, edits - 1)
}

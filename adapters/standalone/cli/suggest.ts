/** Returns the candidate that is nearest to a misspelt word, at most two letters away; undefined where there is none. */
export function suggest(word: string, candidates: readonly string[]): string | undefined {
  const near = candidates
    .map((candidate) => ({ candidate, letters: distance(word, candidate) }))
    .filter(({ candidate, letters }) => letters <= 2 && letters < candidate.length)
  return near.sort((a, b) => a.letters - b.letters)[0]?.candidate
}

/** Returns how many letters must be inserted, removed or replaced (the Levenshtein distance). */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1]
    for (let j = 0; j < b.length; j++) {
      const [left = 0, above = 0, corner = 0] = [next[j], row[j + 1], row[j]]
      next.push(Math.min(left + 1, above + 1, corner + (letter === b[j] ? 0 : 1)))
    }
    row = next
  }
  return row[b.length] ?? 0
}

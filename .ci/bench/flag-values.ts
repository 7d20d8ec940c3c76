/** Returns the chosen ones of a list of known values, in the order of that list. Throws an `Error` for an unknown one. */
export function choose<T extends string>(flag: string, text: string, known: readonly T[]): readonly T[] {
  const unknown = new Set(text.split(','))
  const chosen = known.filter((id) => unknown.delete(id))
  if (unknown.size > 0) throw new Error(`${flag} accepts ${known.join(', ')}, not ${[...unknown].join(', ')}`)
  return chosen
}

/** Returns an integer from 1 to 999,999. Throws an `Error` for another text. */
export function count(flag: string, text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text))
    throw new Error(`${flag} must be an integer from 1 to 999999, not ${text}`)
  return Number(text)
}

/** Formats names and their texts for the help. */
export function list(title: string, entries: readonly (readonly [string, string])[]): string {
  return [`${title}:`, ...entries.map(([id, text]) => `  ${id.padEnd(18)}  ${text}`)].join('\n')
}

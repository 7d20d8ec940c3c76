/** A part of a text, and the placeholder that replaces it. */
export interface Replacement {
  readonly start: number
  readonly end: number
  readonly placeholder: string
}

/** Returns replacements in the order of the text. Adjacent ones become one. */
export function merged(replacements: readonly Replacement[]): readonly Replacement[] {
  const result: Replacement[] = []
  for (const next of replacements.toSorted((a, b) => a.start - b.start)) {
    const last = result.at(-1)
    if (last === undefined || next.start > last.end) result.push(next)
    else result[result.length - 1] = { ...last, end: Math.max(last.end, next.end) }
  }
  return result
}

/** Returns a text with its parts replaced. In JSON, a string replaces numbers, so that the text is still JSON. */
export function replaced(text: string, replacements: readonly Replacement[]): string {
  const isInString = /^\s*[[{]/.test(text) ? insideStrings(text) : () => true
  let from = 0
  const parts = replacements.flatMap(({ start, end, placeholder }) => {
    const before = text.slice(from, start)
    from = end
    return [before, isInString(start) || isInString(end) ? placeholder : JSON.stringify(placeholder)]
  })
  return [...parts, text.slice(from)].join('')
}

/** Returns a function that returns whether a place of a JSON text is within a string, for places in ascending order. */
function insideStrings(text: string): (place: number) => boolean {
  let at = 0
  let isInside = false
  return (place) => {
    for (; at < place; at++) {
      const character = text[at]
      if (isInside && character === '\\') at += 1
      else if (character === '"') isInside = !isInside
    }
    return isInside
  }
}

/**
 * Checks that every option has a known name. An option that is undefined counts as left out, but its name must be known.
 *
 * @throws {TypeError} An option is unknown. The message names it, and a known name that is spelled alike.
 */
export function checkOptionNames(options: unknown, known: readonly string[], place = 'options'): void {
  if (typeof options !== 'object' || options === null) throw new TypeError(`${place} must be an object`)
  for (const name of Object.keys(options)) {
    if (known.includes(name)) continue
    const near = known.find((other) => isNear(name.toLowerCase(), other.toLowerCase()))
    const rest = near === undefined ? `the options are ${known.join(', ')}` : `did you mean "${near}"?`
    throw new TypeError(`${place}.${name} is not an option: ${rest}`)
  }
}

/** Whether two names are equal but for what stands between their common start and their common end: at most two characters. */
function isNear(a: string, b: string): boolean {
  let start = 0
  while (start < a.length && a[start] === b[start]) start++
  let end = 0
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end++
  return Math.max(a.length, b.length) - start - end <= 2
}

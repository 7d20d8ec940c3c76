/**
 * Checks that every option has a known name.
 *
 * @throws {TypeError} An option is unknown. The message names it, and the options that there are.
 */
export function checkOptionNames(options: object, known: readonly string[], place = 'options'): void {
  const unknown = Object.keys(options ?? {}).find((name) => !known.includes(name))
  if (unknown !== undefined)
    throw new TypeError(`${place}.${unknown} is not an option: there are ${known.join(', ')}`)
}

/** Returns the options without those that are undefined, which count as left out. */
export function withoutUndefined<T extends object>(options: T): T {
  const given = Object.entries(options).filter(([, value]) => value !== undefined)
  return Object.fromEntries(given) as T // only undefined members are gone
}

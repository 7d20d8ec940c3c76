/**
 * Checks that every option has a known name.
 *
 * @throws {TypeError} An option is unknown. The message names it, and the options that there are.
 */
export function checkOptionNames(options: object, known: readonly string[], place = 'options'): void {
  const unknown = Object.keys(options ?? {}).find((name) => !known.includes(name))
  if (unknown !== undefined)
    throw new TypeError(`${place}.${unknown} is no option: there are ${known.join(', ')}`)
}

/** Whether a value is a whole number of a range; by default any from 1. */
export function isWhole(value: unknown, from = 1, to: number = value as number): value is number {
  const number = value as number // compared only if it is one
  return Number.isSafeInteger(value) && number >= from && number <= to
}

/** Returns the options without those that are undefined, which count as left out. */
export function withoutUndefined<T extends object>(options: T): T {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as T // no other is gone
}

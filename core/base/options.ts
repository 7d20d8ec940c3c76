/** What an option must be: whether a value is it, and in words. */
export type OptionRule = readonly [isValid: (value: unknown) => boolean, expected: string]

/** What an option must be that is a function. */
export const aFunction: OptionRule = [(value) => typeof value === 'function', 'a function']

/** The rule of an option that its reader checks, or that may be anything. */
export const anyValue: OptionRule = [() => true, '']

/**
 * Checks options by a table of all that there are. An option that is undefined counts as left out.
 *
 * @throws {TypeError} An option is unknown or invalid. The message names it, and the options that there are or what it
 * must be.
 */
export function checkOptions(
  options: object,
  rules: Readonly<Record<string, OptionRule>>,
  place = 'options',
): void {
  const given = Object.entries(options ?? {})
  const [unknown] = given.find(([name]) => !Object.hasOwn(rules, name)) ?? []
  if (unknown !== undefined)
    throw new TypeError(
      `${place}.${unknown} is no option: there are ${Object.keys(rules).join(', ') || 'none'}`,
    )
  for (const [name, value] of given) {
    const [isValid, expected] = rules[name] ?? anyValue
    if (value !== undefined && !isValid(value)) throw new TypeError(`${place}.${name} must be ${expected}`)
  }
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

/**
 * Returns a clock that throws where the given one returns no finite number: with such a time, every limit would be off.
 *
 * @param clock Returns the milliseconds since the epoch; by default the time of the system, also under fake timers.
 * @throws {TypeError} It is no function, or returns no finite number now.
 */
export function readClock(clock: () => number = () => Date.now()): () => number {
  const read = () => {
    const now = typeof clock === 'function' && clock()
    if (Number.isFinite(now)) return Number(now)
    throw new TypeError('options.clock must return milliseconds since the epoch')
  }
  read()
  return read
}

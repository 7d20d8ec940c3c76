/** A rule for the value of an option: a check, and the expected value in words. */
export type OptionRule = readonly [isValid: (value: unknown) => boolean, expected: string]

/** The rule of an option whose value is a function. */
export const aFunction: OptionRule = [(value) => typeof value === 'function', 'a function']

/** The rule of an option that may be anything, or that its reader checks. */
export const anyValue: OptionRule = [() => true, '']

/**
 * Checks options by a table of all rules. An undefined option counts as absent.
 *
 * @throws {TypeError} An option is unknown or invalid. The message names it and the expected value.
 */
export function checkOptions(
  options: object,
  rules: Readonly<Record<string, OptionRule>>,
  place = 'options',
): void {
  const given = Object.entries(options ?? {})
  const known = Object.keys(rules)
  const [unknown] = given.find(([name]) => !Object.hasOwn(rules, name)) ?? []
  if (unknown !== undefined)
    throw new TypeError(
      `unknown option "${place}.${unknown}"; expected ${known.length > 0 ? `one of ${known.join(', ')}` : 'none'}`,
    )
  for (const [name, value] of given) {
    const [isValid, expected] = rules[name] ?? anyValue
    if (value !== undefined && !isValid(value)) throw new TypeError(`${place}.${name} must be ${expected}`)
  }
}

/** Returns whether a value is a whole number in a range; any from 1 by default. */
export function isWholeNumber(value: unknown, from = 1, to: number = value as number): value is number {
  const number = value as number // compared only if it is one
  return Number.isSafeInteger(value) && number >= from && number <= to
}

/** Returns the options without undefined ones, which count as absent. */
export function dropUndefined<T extends object>(options: T): T {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as T // no other is gone
}

/**
 * Returns a clock that throws if the given one returns anything but a finite number, which would disturb every limit.
 *
 * @param clock Returns the milliseconds since the epoch; by default the time of the system, also under fake timers.
 * @throws {TypeError} It is not a function, or does not return a finite number now.
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

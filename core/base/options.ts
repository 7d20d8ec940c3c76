/** A check for an option, and the words that follow "must be" in its error message. */
export type OptionRule = readonly [isValid: (value: unknown) => boolean, expected: string]

/** Accepts any function. */
export const functionRule: OptionRule = [(value) => typeof value === 'function', 'a function']

/** Accepts any string. */
export const stringRule: OptionRule = [(value) => typeof value === 'string', 'a string']

/** Accepts `true` and `false`. */
export const booleanRule: OptionRule = [(value) => typeof value === 'boolean', 'true or false']

/** Accepts any value, for options that are checked elsewhere. */
export const anyValueRule: OptionRule = [() => true, '']

/**
 * Checks that every option is known and valid. An option that is `undefined` is valid.
 *
 * @param place - Prefix for option names in error messages.
 * @throws {TypeError} If an option is unknown or invalid.
 */
export function checkOptions(
  options: object,
  rules: Readonly<Record<string, OptionRule>>,
  place = 'options',
): void {
  const givenOptions = Object.entries(options ?? {})
  const knownNames = Object.keys(rules)
  const [unknown] = givenOptions.find(([name]) => !Object.hasOwn(rules, name)) ?? []
  if (unknown !== undefined)
    throw new TypeError(
      `unknown option "${place}.${unknown}"; expected ${knownNames.length > 0 ? `one of ${knownNames.join(', ')}` : 'none'}`,
    )
  for (const [name, value] of givenOptions) {
    const [isValid, expected] = rules[name] ?? anyValueRule
    if (value !== undefined && !isValid(value)) throw new TypeError(`${place}.${name} must be ${expected}`)
  }
}

/** Checks whether a value is an integer from `from` to `to`, by default any safe integer from 1. */
export function isWholeNumber(value: unknown, from = 1, to: number = value as number): value is number {
  const numberValue = value as number // `isSafeInteger` checks the type
  return Number.isSafeInteger(value) && numberValue >= from && numberValue <= to
}

/** Copies an object without the properties that are `undefined`. */
export function dropUndefined<T extends object>(options: T): T {
  // The cast is safe: only optional properties can be undefined.
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as T
}

/**
 * Creates a clock that throws if the given clock does not return a finite number. It is read once immediately.
 *
 * @param clock - Returns the time in milliseconds since the epoch. `Date.now` by default, also if a test replaces it
 * later.
 * @throws {TypeError} If the clock is not a function or does not return a finite number.
 */
export function createClock(clock: () => number = () => Date.now()): () => number {
  const readClock = () => {
    const clockTime = typeof clock === 'function' && clock()
    if (Number.isFinite(clockTime)) return Number(clockTime)
    throw new TypeError('options.clock must return milliseconds since the epoch')
  }
  readClock()
  return readClock
}

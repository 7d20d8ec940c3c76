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

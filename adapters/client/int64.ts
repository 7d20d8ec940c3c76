/** Parses a JSON number, such as `7`, `7.0` or `7e0`, to an int64. Returns `undefined` for any other number. */
export function parseInt64(text: string): bigint | undefined {
  const [, sign, whole = '', fraction, exponent] = text.match(/^(-?)(\d+)\.?(\d*)e?(.*)$/i) ?? []
  const digits = whole + fraction
  const pointIndex = Math.max(0, whole.length + Number(exponent)) // the index of the decimal point
  if (pointIndex > 20 || /[1-9]/.test(digits.slice(pointIndex))) return undefined // an int64 has at most 19 digits
  return toInt64(BigInt(`${sign}0${digits.slice(0, pointIndex).padEnd(pointIndex, '0')}`))
}

/** Converts a bigint or a safe integer to an int64. Returns `undefined` for any other value. */
export function toInt64(value: unknown): bigint | undefined {
  const exactInteger = Number.isSafeInteger(value) ? BigInt(value as number) : value // safe integers are numbers
  return typeof exactInteger === 'bigint' && BigInt.asIntN(64, exactInteger) === exactInteger
    ? exactInteger
    : undefined
}

/** Returns the int64 in the text of a JSON number, such as `7`, `7.0` and `7e0`; undefined for other numbers. */
export function parseInt64(text: string): bigint | undefined {
  const [, whole = '', fraction = '', exponent] = /^(-?\d+)\.?(\d*)[eE]?(.*)$/.exec(text) ?? []
  const digits = whole + fraction
  const shift = Number(exponent) - fraction.length // of the decimal point behind the digits
  if (!/[1-9]/.test(digits)) return BigInt(0)
  if (Math.abs(Number(text)) > 2 ** 64 || (shift < 0 && /[1-9]/.test(digits.slice(shift)))) return undefined
  return toInt64(BigInt(shift < 0 ? digits.slice(0, shift) : digits + '0'.repeat(shift)))
}

/** Returns the int64 of a bigint or a safe integer; undefined for any other value. */
export function toInt64(value: unknown): bigint | undefined {
  if (typeof value !== 'bigint') return Number.isSafeInteger(value) ? BigInt(value as number) : undefined
  return BigInt.asIntN(64, value) === value ? value : undefined
}

/** Returns the int64 in the text of a JSON number, such as `7`, `7.0` and `7e0`; undefined for other numbers. */
export function parseInt64(text: string): bigint | undefined {
  const [mantissa = '', exponent = 0] = text.split(/e/i)
  const [whole = '', fraction = ''] = mantissa.split('.')
  const digits = whole + fraction
  if (!/[1-9]/.test(digits)) return BigInt(0)
  const point = Math.max(0, whole.length + Number(exponent)) // the decimal point comes before this digit
  if (Math.abs(Number(text)) > 2 ** 64 || /[1-9]/.test(digits.slice(point))) return undefined
  return toInt64(BigInt(digits.slice(0, point).padEnd(point, '0')))
}

/** Returns the int64 of a bigint or a safe integer; undefined for any other value. */
export function toInt64(value: unknown): bigint | undefined {
  const integer = Number.isSafeInteger(value) ? BigInt(value as number) : value // a safe integer is a number
  return typeof integer === 'bigint' && BigInt.asIntN(64, integer) === integer ? integer : undefined
}

/** The number of digits of the longest int64. */
const int64Digits = 19

/**
 * Returns the exact value of the text of a JSON number, if it is an int64. As in JSON Schema, `1.0` and `1e3` are
 * integers. A number with a fraction, however small, is not.
 */
export function parseJsonInt64(text: string): bigint | undefined {
  const usual = parseDecimalInt64(text) // -5 % `core createPet`
  if (usual !== undefined) return usual
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(text) ?? []
  const digits = (whole + fraction).replace(/^0+/, '')
  if (digits === '') return 0n
  const wholeDigits = digits.length - fraction.length + Number(exponent)
  if (wholeDigits < 1 || wholeDigits > int64Digits || /[1-9]/.test(digits.slice(wholeDigits)))
    return undefined
  return parseDecimalInt64(sign + digits.slice(0, wholeDigits).padEnd(wholeDigits, '0'))
}

/** Parses an int64 in canonical decimal (`0`, `-?[1-9][0-9]*`), as in paths and queries; undefined for other text. */
export function parseDecimalInt64(text: string): bigint | undefined {
  if (!/^(?:0|-?[1-9]\d{0,18})$/.test(text)) return undefined
  const value = BigInt(text)
  return BigInt.asIntN(64, value) === value ? value : undefined
}

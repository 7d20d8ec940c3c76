/** The smallest int64. */
export const int64Min: bigint = -(2n ** 63n)
/** The largest int64. */
export const int64Max: bigint = 2n ** 63n - 1n

/** The number of digits of the longest int64. */
const int64Digits = 19

/** The reason why a JSON number is not an int64. */
export type NotInt64 = 'fraction' | 'range'

/**
 * Returns the exact value of the text of a JSON number. As in JSON Schema, `1.0` and `1e3` are integers. A number with a
 * fraction, however small, is not.
 */
export function int64OfJsonNumber(text: string): bigint | NotInt64 {
  if (/^\d{1,15}$/.test(text)) return BigInt(text)
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? []
  const digits = whole + fraction
  // With spaces for zeros, trimming is linear: the regular expression /0+$/ would take quadratic time.
  const trimmed = digits.replaceAll('0', ' ').trimEnd()
  const significant = trimmed.trimStart().replaceAll(' ', '0')
  if (significant === '') return 0n
  const zeros = Number(exponent) - fraction.length + digits.length - trimmed.length
  if (zeros < 0) return 'fraction'
  if (significant.length + zeros > int64Digits) return 'range'
  const value = BigInt(sign + significant + '0'.repeat(zeros))
  return value < int64Min || value > int64Max ? 'range' : value
}

/** Parses an int64 in canonical decimal (`0`, `-?[1-9][0-9]*`), the form of ids in paths and queries; undefined for other text. */
export function int64OfDecimal(text: string): bigint | undefined {
  if (!/^(?:0|-?[1-9]\d{0,18})$/.test(text)) return undefined
  const value = BigInt(text)
  return value < int64Min || value > int64Max ? undefined : value
}

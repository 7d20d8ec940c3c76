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
  const first = firstNonZero(digits)
  if (first === digits.length) return 0n
  const end = endOfNonZero(digits)
  const zeros = Number(exponent) - fraction.length + (digits.length - end)
  if (zeros < 0) return 'fraction'
  if (end - first + zeros > int64Digits) return 'range'
  const value = BigInt(sign + digits.slice(first, end) + '0'.repeat(zeros))
  return value < int64Min || value > int64Max ? 'range' : value
}

/** Parses an int64 in canonical decimal (`0`, `-?[1-9][0-9]*`), the form of ids in paths and queries; undefined for other text. */
export function int64OfDecimal(text: string): bigint | undefined {
  if (!/^(?:0|-?[1-9]\d{0,18})$/.test(text)) return undefined
  const value = BigInt(text)
  return value < int64Min || value > int64Max ? undefined : value
}

function firstNonZero(digits: string): number {
  let i = 0
  while (digits[i] === '0') i++
  return i
}

/** A loop: with a regular expression, a body of zeros would backtrack in quadratic time. */
function endOfNonZero(digits: string): number {
  let i = digits.length
  while (digits[i - 1] === '0') i--
  return i
}

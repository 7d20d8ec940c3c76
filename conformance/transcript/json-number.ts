/** More digits than any integer that matters here has. */
const mostDigits = 60
/** So many characters, a double tells from all others: what it takes for an integer is one. */
const exactLength = 15
const form = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/

/** Reads a number as JSON spells it: an integer of at most 60 digits, however spelt, is a `bigint`. Takes linear time. */
export function readNumber(text: string): bigint | number {
  if (text.length <= exactLength) {
    const value = Number(text)
    if (value !== 0 && (Number.isSafeInteger(value) || !Number.isInteger(value))) {
      return Number.isInteger(value) ? BigInt(value) : value
    }
  }
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = form.exec(text) ?? []
  const digits = whole + fraction
  const first = digits.search(/[1-9]/)
  if (first < 0) return 0n
  const end = endWithoutZeros(digits)
  const scale = Number(exponent) - fraction.length + digits.length - end
  if (scale < 0 || end - first + scale > mostDigits) return Number(text)
  return BigInt(sign + digits.slice(first, end) + '0'.repeat(scale))
}

/** Where the zeros at the end begin. A pattern such as `0+$` would look from each zero again. */
function endWithoutZeros(digits: string): number {
  let end = digits.length
  while (digits[end - 1] === '0') end -= 1
  return end
}

/** An integer of more digits is read as a `number`; an int64 has at most 19. */
const mostDigits = 60
/** A number of at most so many characters is an integer exactly if its double is one. */
const exactLength = 15
const form = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/

/** A list can have hundreds of thousands of small integers, which share their values. */
const small: readonly bigint[] = Array.from({ length: 1000 }, (_, value) => BigInt(value))

/** Returns a safe integer as a `bigint`. */
export function integer(value: number): bigint {
  return small[value] ?? BigInt(value)
}

/** Reads a JSON number. An integer of at most 60 digits is a `bigint`, in every notation. Takes linear time. */
export function readNumber(text: string): bigint | number {
  if (text.length <= exactLength) {
    const value = Number(text)
    if (value !== 0 && (Number.isSafeInteger(value) || !Number.isInteger(value))) {
      return Number.isInteger(value) ? integer(value) : value
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

/** Returns where the zeros at the end begin. The pattern `0+$` would take quadratic time. */
function endWithoutZeros(digits: string): number {
  let end = digits.length
  while (digits[end - 1] === '0') end -= 1
  return end
}

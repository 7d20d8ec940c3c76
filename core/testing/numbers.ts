import fc from 'fast-check'

export const int64Min: bigint = -(2n ** 63n)
export const int64Max: bigint = 2n ** 63n - 1n

const anyNumber = fc.stringMatching(/^-?(?:0|[1-9]\d{0,24})(?:\.\d{1,24})?(?:[eE][+-]?0{0,2}[1-6]?\d)?$/)

/** Generates integers near 0 and near both ends of the int64 range. */
export const nearInt64: fc.Arbitrary<bigint> = fc.oneof(
  ...[int64Min, 0n, int64Max].map((end) => fc.bigInt({ min: end - 3n, max: end + 3n })),
  fc.bigInt({ min: 2n * int64Min, max: 2n * int64Max }),
)

/** Generates integers near the int64 range as decimal fractions with an exponent. */
const shiftedNumber = fc.tuple(nearInt64, fc.nat(30), fc.nat(12)).map(([value, places, zeros]) => {
  const digits = String(value)
    .replace('-', '')
    .padStart(places + 1, '0')
  const pointIndex = digits.length - places
  const fractionDigits = digits.slice(pointIndex) + '0'.repeat(zeros)
  return `${value < 0n ? '-' : ''}${digits.slice(0, pointIndex)}${fractionDigits && `.${fractionDigits}`}e${places}`
})

/** Generates JSON numbers as text. */
export const jsonNumberText: fc.Arbitrary<string> = fc.oneof(anyNumber, shiftedNumber)

import fc from 'fast-check'
import { int64Max, int64Min } from './int64.ts'

const anyNumber = fc.stringMatching(/^-?(?:0|[1-9]\d{0,24})(?:\.\d{1,24})?(?:[eE][+-]?0{0,2}[1-6]?\d)?$/)

/** A number in or just outside int64, its point moved and its exponent set right again. */
const movedPoint = fc
  .tuple(
    fc.oneof(
      fc.bigInt({ min: int64Min - 3n, max: int64Max + 3n }),
      ...[int64Min, 0n, int64Max].map((end) => fc.bigInt({ min: end - 3n, max: end + 3n })),
    ),
    fc.nat(30),
    fc.nat(12),
  )
  .map(([value, places, zeros]) => {
    const digits = String(value)
      .replace('-', '')
      .padStart(places + 1, '0')
    const at = digits.length - places
    const fraction = digits.slice(at) + '0'.repeat(zeros)
    return `${value < 0n ? '-' : ''}${digits.slice(0, at)}${fraction && `.${fraction}`}e${places}`
  })

/** JSON numbers of every spelling; many are integers near the ends of int64. */
export const jsonNumberText: fc.Arbitrary<string> = fc.oneof(anyNumber, movedPoint)

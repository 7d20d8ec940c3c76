import fc from 'fast-check'
import { int64Max, int64Min } from './int64.ts'

const digits = (minLength: number, maxLength: number): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom(...'0123456789'), minLength, maxLength })

const whole = fc.oneof(
  fc.constant('0'),
  fc.tuple(fc.constantFrom(...'123456789'), digits(0, 24)).map((parts) => parts.join('')),
)

const exponent = fc
  .tuple(fc.constantFrom('e', 'E'), fc.constantFrom('', '+', '-'), fc.constantFrom('', '0', '00'), fc.nat(60))
  .map((parts) => parts.join(''))

const anyNumber = fc
  .tuple(
    fc.constantFrom('', '-'),
    whole,
    fc.option(
      digits(1, 24).map((text) => `.${text}`),
      { nil: '' },
    ),
    fc.option(exponent, { nil: '' }),
  )
  .map((parts) => parts.join(''))

/** A number in or just outside int64, its point moved and its exponent set right again. */
const movedPoint = fc
  .tuple(
    fc.oneof(
      fc.bigInt({ min: int64Min - 3n, max: int64Max + 3n }),
      fc.bigInt({ min: int64Max - 3n, max: int64Max + 3n }),
      fc.bigInt({ min: int64Min - 3n, max: int64Min + 3n }),
      fc.bigInt({ min: -2000n, max: 2000n }),
    ),
    fc.nat(30),
    fc.nat(12),
  )
  .map(([value, places, zeros]) => {
    const sign = value < 0n ? '-' : ''
    const text = String(value)
      .replace('-', '')
      .padStart(places + 1, '0')
    const at = text.length - places
    const fraction = text.slice(at) + '0'.repeat(zeros)
    const mantissa = text.slice(0, at).replace(/^0+(?=\d)/, '') + (fraction && `.${fraction}`)
    return `${sign}${mantissa}e${places}`
  })

/** JSON numbers of every spelling; many are integers near the ends of int64. */
export const jsonNumberText: fc.Arbitrary<string> = fc.oneof(anyNumber, movedPoint)

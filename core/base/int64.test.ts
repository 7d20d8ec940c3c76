import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { assertProperty } from '../testing/assert-property.ts'
import { jsonNumberText, nearInt64 } from '../testing/numbers.ts'
import { parseDecimalInt64, parseJsonInt64 } from './int64.ts'

/** Computes the expected result with exact bigint arithmetic. */
function computeInt64(text: string): bigint | undefined {
  const [mantissa = '', exponent = '0'] = text.toLowerCase().split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  const power = BigInt(exponent) - BigInt(fraction.length)
  const digits = BigInt(whole.replace('-', '') + fraction)
  const numerator = digits * 10n ** (power > 0n ? power : 0n)
  const denominator = 10n ** (power < 0n ? -power : 0n)
  if (numerator % denominator !== 0n) return undefined
  const value = (text.startsWith('-') ? -1n : 1n) * (numerator / denominator)
  return BigInt.asIntN(64, value) === value ? value : undefined
}

describe('parseJsonInt64', () => {
  it('parses a JSON number exactly if it is an int64', () => {
    assertProperty(
      fc.property(jsonNumberText, (text) => {
        assert.equal(parseJsonInt64(text), computeInt64(text))
        assert.doesNotThrow(() => JSON.parse(text))
      }),
      5_000,
    )
  })

  const zeroDigits = '0'.repeat(60_000)
  const spellings: readonly (readonly [text: string, value: bigint | undefined])[] = [
    ['0e99999999999999999999999', 0n],
    ['1e999999999999999999999999', undefined],
    ['1e-999999999999999999999999', undefined],
    [`1${zeroDigits}`, undefined],
    [`1${zeroDigits}e-60000`, 1n],
    [`0.${zeroDigits}1`, undefined],
  ]
  for (const [text, value] of spellings)
    it(`parses ${text.slice(0, 20)} (${text.length} characters) as ${value}`, () =>
      assert.equal(parseJsonInt64(text), value))
})

describe('parseDecimalInt64', () => {
  it('parses every int64, and nothing larger', () => {
    assertProperty(
      fc.property(nearInt64, (id) => {
        assert.equal(parseDecimalInt64(String(id)), BigInt.asIntN(64, id) === id ? id : undefined)
      }),
    )
  })

  it('rejects numbers that are not in canonical form', () => {
    const invalidIntegers = [
      '',
      '-',
      '-0',
      '00',
      '-01',
      '+1',
      '1.0',
      '1e0',
      ' 1',
      '1 ',
      '1\n',
      '0x1',
      '١',
      '1n',
    ]
    for (const text of invalidIntegers) assert.equal(parseDecimalInt64(text), undefined, text)
  })
})

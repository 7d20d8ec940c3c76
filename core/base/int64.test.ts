import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { holds } from '../testing/holds.ts'
import { jsonNumberText, nearInt64 } from '../testing/numbers.ts'
import { parseDecimalInt64, parseJsonInt64 } from './int64.ts'

/** Slow and plain: the number as a fraction of two whole numbers of any length. */
function oracle(text: string): bigint | undefined {
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

describe('a JSON number', () => {
  it('is read as exact arithmetic computes it', () => {
    holds(
      fc.property(jsonNumberText, (text) => {
        assert.equal(parseJsonInt64(text), oracle(text))
        assert.doesNotThrow(() => JSON.parse(text))
      }),
      5_000,
    )
  })

  const zeros = '0'.repeat(60_000)
  const spellings: readonly (readonly [text: string, value: bigint | undefined])[] = [
    ['0e99999999999999999999999', 0n],
    ['1e999999999999999999999999', undefined],
    ['1e-999999999999999999999999', undefined],
    [`1${zeros}`, undefined],
    [`1${zeros}e-60000`, 1n],
    [`0.${zeros}1`, undefined],
  ]
  for (const [text, value] of spellings)
    it(`${text.slice(0, 20)} (${text.length} digits) is ${value}`, () =>
      assert.equal(parseJsonInt64(text), value))
})

describe('a decimal', () => {
  it('is the int64 that it spells, or undefined beyond int64', () => {
    holds(
      fc.property(nearInt64, (id) => {
        assert.equal(parseDecimalInt64(String(id)), BigInt.asIntN(64, id) === id ? id : undefined)
      }),
    )
  })

  it('has exactly one spelling for an id', () => {
    const others = ['', '-', '-0', '00', '-01', '+1', '1.0', '1e0', ' 1', '1 ', '1\n', '0x1', '١', '1n']
    for (const text of others) assert.equal(parseDecimalInt64(text), undefined, text)
  })
})

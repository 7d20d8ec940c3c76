import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { toJson } from './index.ts'

/** Strings that resemble the marks for bigints. */
const someString = fc.oneof(
  fc.string(),
  fc.stringMatching(/^[#"\\,:[\]{}]{0,4}-?\d{0,3}"?$/),
  fc.constantFrom('#', '#1', '##-12', '"#1', ',"#1', '","#1'),
)

function expectedJson(value: unknown): string {
  if (typeof value === 'bigint') return String(value)
  if (Array.isArray(value)) return `[${value.map(expectedJson).join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).map(
    ([name, member]) => `${JSON.stringify(name)}:${expectedJson(member)}`,
  )
  return `{${members.join()}}`
}

describe('toJson', () => {
  it('writes a bigint as a number with all its digits', () => {
    const pets = [{ id: 2n ** 63n - 1n, categoryId: -(2n ** 63n), tags: [0n, { n: 9007199254740993n }] }]
    const tags = '[0,{"n":9007199254740993}]'
    assert.equal(
      toJson(pets),
      `[{"id":9223372036854775807,"categoryId":-9223372036854775808,"tags":${tags}}]`,
    )
    assert.equal(toJson(7n), '7')
    assert.equal(
      toJson([Object(5n), { toJSON: () => 6n }, { n: { toJSON: () => Object(-7n) } }]),
      '[5,6,{"n":-7}]',
    )
  })

  it('writes bigints exactly among any other values', () => {
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        fc.bigInt(),
        someString,
        fc.integer(),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie('value'), { maxLength: 4 }),
        fc.dictionary(someString, tie('value'), { maxKeys: 4 }),
      ),
    }))
    const jsonProperty = fc.property(value, (it) => assert.equal(toJson(it), expectedJson(it)))
    fc.assert(jsonProperty, { numRuns: 2_000, seed: 20_261_126 })
  })

  it('equals JSON.stringify for values without bigints', () => {
    const valuesWithoutBigints = [
      undefined,
      () => {},
      Number.NaN,
      new Date(0),
      new String('#7'),
      { a: undefined },
    ]
    for (const value of valuesWithoutBigints) assert.equal(toJson(value), JSON.stringify(value))
  })

  it('ignores BigInt.prototype.toJSON', (t) => {
    const prototype = BigInt.prototype as { toJSON?: () => string } // `toJSON` is not a declared member
    prototype.toJSON = function () {
      return this.toString()
    }
    t.after(() => delete prototype.toJSON)
    assert.equal(toJson({ id: 7n }), '{"id":7}')
  })

  it('throws for a circular value', () => {
    const value: Record<string, unknown> = {}
    value.self = value
    assert.throws(() => toJson(value), TypeError)
  })
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { assertProperty } from '../testing/assert-property.ts'
import { jsonNumberText } from '../testing/numbers.ts'
import { parseJson } from './json.ts'

const encoder = new TextEncoder()
const parseText = (text: string) => parseJson(encoder.encode(text))

describe('parseJson', () => {
  /**
   * Latin-1 strings: no bytes, a byte order mark, an invalid byte, an encoded surrogate, a truncated character and
   * trailing characters.
   */
  for (const bytes of ['', '\xef\xbb\xbf{}', '"\xff"', '"\xed\xa0\x80"', '"\xe2\x82', '{}x', '{}\0'])
    it(`returns undefined for the bytes ${JSON.stringify(bytes)}`, () =>
      assert.equal(parseJson(Buffer.from(bytes, 'latin1')), undefined))

  it('parses valid UTF-8 after a truncated document', () => {
    parseJson(new Uint8Array([0x22, 0xe2, 0x82]))
    assert.equal(parseText('"€"')?.value, '€')
  })

  it('parses 200,000 nested arrays', () => {
    const deepArray = '['.repeat(200_000) + ']'.repeat(200_000)
    assert.equal(parseText(`{"x":${deepArray},"categoryId":7}`)?.getNumberText('categoryId'), '7')
  })

  it('parses a string with 6 million escapes', () => {
    const longDocument = `{"name":"${'\\n\\"'.repeat(3_000_000)}","categoryId":7}`
    assert.equal(parseText(longDocument)?.getNumberText('categoryId'), '7')
  })

  /** A member's name and value, both as JSON text. */
  type Member = readonly [name: string, value: string]

  const whitespaceText = fc.string({ unit: fc.constantFrom(' ', '\n', '\t', '\r'), maxLength: 2 })
  const trickyValue = fc.constantFrom(
    ...['"categoryId"', '"categoryId\\":1"', '"\\\\"', '"{"', '"]}"', '"\\"categoryId\\":2,"'],
    ...['{"categoryId":3}', '[{"categoryId":4},5]', '[]', '{}', 'true', 'null'],
  )
  const value = fc.oneof(trickyValue, jsonNumberText, fc.json())
  const name = fc.oneof(
    fc.constantFrom('"categoryId"', '"category\\u0049d"', '"\\u0063ategoryId"'),
    fc.constantFrom('"categoryid"', '"categoryId "', '"\\\\categoryId"', '""', '"__proto__"', '":"'),
    fc.string().map((text) => JSON.stringify(text)),
  )
  const members: fc.Arbitrary<Member[]> = fc.array(fc.tuple(name, value), { maxLength: 6 })

  it('finds the number in the last member with a given name', () => {
    assertProperty(
      fc.property(
        members,
        fc.array(whitespaceText, { minLength: 5, maxLength: 5 }),
        (all, [a, b, c, d, e]) => {
          const membersText = all.map(([key, text]) => `${a}${key}${b}:${c}${text}${d}`).join(',')
          const document = parseText(`${e}{${membersText}}${e}`)
          const lastNumber = all.findLast(([key]) => JSON.parse(key) === 'categoryId')?.[1]
          const isNumber = lastNumber !== undefined && /^[-\d]/.test(lastNumber)
          assert.equal(document?.getNumberText('categoryId'), isNumber ? lastNumber : undefined)
          assert.equal(JSON.stringify(document?.value), JSON.stringify(JSON.parse(`{${membersText}}`)))
        },
      ),
      3_000,
    )
  })
})

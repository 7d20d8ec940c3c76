import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { holds } from '../testing/holds.ts'
import { jsonNumberText } from '../testing/numbers.ts'
import { parseJson } from './json.ts'

const encoder = new TextEncoder()
const parse = (text: string) => parseJson(encoder.encode(text))

describe('a JSON document', () => {
  /** Bytes, as Latin-1: a byte order mark, an invalid byte, a surrogate, a character that is cut off, more behind it. */
  for (const bytes of ['', '\xef\xbb\xbf{}', '"\xff"', '"\xed\xa0\x80"', '"\xe2\x82', '{}x', '{}\0'])
    it(`is not ${JSON.stringify(bytes)}`, () =>
      assert.equal(parseJson(Buffer.from(bytes, 'latin1')), undefined))

  it('is parsed after one that ended within a character', () => {
    parseJson(new Uint8Array([0x22, 0xe2, 0x82]))
    assert.equal(parse('"€"')?.value, '€')
  })

  it('may be nested to any depth', () => {
    const deep = '['.repeat(200_000) + ']'.repeat(200_000)
    assert.equal(parse(`{"x":${deep},"categoryId":7}`)?.numberText('categoryId'), '7')
  })

  it('may contain a string with any number of escapes', () => {
    const text = `{"name":"${'\\n\\"'.repeat(3_000_000)}","categoryId":7}`
    assert.equal(parse(text)?.numberText('categoryId'), '7')
  })

  /** A member's name and value as they are written. */
  type Member = readonly [name: string, value: string]

  const space = fc.string({ unit: fc.constantFrom(' ', '\n', '\t', '\r'), maxLength: 2 })
  const trap = fc.constantFrom(
    ...['"categoryId"', '"categoryId\\":1"', '"\\\\"', '"{"', '"]}"', '"\\"categoryId\\":2,"'],
    ...['{"categoryId":3}', '[{"categoryId":4},5]', '[]', '{}', 'true', 'null'],
  )
  const value = fc.oneof(trap, jsonNumberText, fc.json())
  const name = fc.oneof(
    fc.constantFrom('"categoryId"', '"category\\u0049d"', '"\\u0063ategoryId"'),
    fc.constantFrom('"categoryid"', '"categoryId "', '"\\\\categoryId"', '""', '"__proto__"', '":"'),
    fc.string().map((text) => JSON.stringify(text)),
  )
  const members: fc.Arbitrary<Member[]> = fc.array(fc.tuple(name, value), { maxLength: 6 })

  it('has the text of the last top-level number of a name', () => {
    holds(
      fc.property(members, fc.array(space, { minLength: 5, maxLength: 5 }), (all, [a, b, c, d, e]) => {
        const inner = all.map(([key, text]) => `${a}${key}${b}:${c}${text}${d}`).join(',')
        const document = parse(`${e}{${inner}}${e}`)
        const last = all.findLast(([key]) => JSON.parse(key) === 'categoryId')?.[1]
        const isNumber = last !== undefined && /^[-\d]/.test(last)
        assert.equal(document?.numberText('categoryId'), isNumber ? last : undefined)
        assert.equal(JSON.stringify(document?.value), JSON.stringify(JSON.parse(`{${inner}}`)))
      }),
      3_000,
    )
  })
})

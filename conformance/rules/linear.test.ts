import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { judge } from '../judge/judge.ts'
import { allPages, each, found, headers, recorded } from '../testing/recorded.ts'
import { readJson } from '../transcript/json-reader.ts'

const pets = (count: number, id: (n: number) => string): string =>
  `[${Array.from({ length: count }, (_, n) => `{"id":${id(n)},"name":"a","categoryId":1}`).join()}]`

test('a number of a million digits is read', () => {
  assert.equal(typeof readJson(`1${'0'.repeat(1_000_000)}1`), 'number')
  assert.equal(readJson(`1.${'0'.repeat(1_000_000)}`), 1n)
  assert.equal(typeof readJson(`1.${'0'.repeat(1_000_000)}1`), 'number')
})

test('a thousand nested arrays are read, and deeper ones are not JSON', () => {
  const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)
  assert.ok(Array.isArray(readJson(nested(1000))))
  assert.equal(readJson(nested(500_000)), undefined)
})

test('a string of half a million escapes is read', () => {
  assert.equal(readJson(`"${'\\n'.repeat(500_000)}"`), '\n'.repeat(500_000))
})

test('the parser accepts exactly the texts that JSON.parse accepts', () => {
  const parts = [
    '[ ] { } , : "a" " \\ \\u00e9 1 -0 1.5e3 01 true nul null'.split(' '),
    ' ',
    '\n',
    '\u00a0',
    '\u0001',
  ].flat()
  const isJson = (text: string): boolean => {
    try {
      JSON.parse(text)
      return true
    } catch {
      return false
    }
  }
  const texts = fc.oneof(
    fc.array(fc.constantFrom(...parts), { maxLength: 8 }).map((chosen) => chosen.join('')),
    fc.tuple(fc.json(), fc.nat(), fc.constantFrom(...parts)).map(([text, n, part]) => {
      const at = n % (text.length + 1)
      return text.slice(0, at) + part + text.slice(at)
    }),
  )
  fc.assert(
    fc.property(texts, (text) => assert.equal(readJson(text) !== undefined, isJson(text), text)),
    { numRuns: 2000 },
  )
})

test('pages of 20,000 animals with different problems are judged, and the reason has their number', () => {
  const script = each(allPages, { body: pets(20_000, (n) => `"${n}"`) })
  assert.equal(found('LIST-4', 'read', script).outcome, 'broken')
  assert.match(found('LIST-6', 'read', script).reason, /has 20000 animals/)
})

test('the same id on a page of 20,000 is found, and missing animals among as many are', () => {
  const twice = { list: { body: pets(20_000, (n) => String(n === 19_999 ? 7 : n)) } }
  assert.match(found('LIST-18', 'read', twice).reason, /the id 7 more than once/)
  const { rules } = judge(recorded('read', each(allPages, { body: pets(20_000, String) })))
  assert.ok(rules.every(({ exchanges }) => exchanges.length <= allPages.length + 40))
})

test('a Link that begins a thousand relations and ends none is read', () => {
  const link = `</x>; rel="${'next '.repeat(3000)}`
  assert.equal(found('LIST-7', 'read', { list: { headers: headers({ link }) } }).outcome, 'holds')
})

test('a reason quotes only the beginning of a long value', () => {
  const type = `text/${'x'.repeat(60_000)}`
  const { reason, got } = found('LIST-2', 'read', { list: { headers: headers({ 'content-type': type }) } })
  assert.ok(reason.length <= 400 && (got?.length ?? 0) <= 400)
})

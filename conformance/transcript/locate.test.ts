import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { locate } from './locate.ts'
import type { JsonPath } from './place.ts'
import { pathText } from './place.ts'

function textAt(text: string, path: JsonPath): string | undefined {
  const span = locate(text, path)
  return span && text.slice(span.start, span.end)
}

const list = '[ {"id": 1, "name": "a\\"],b"}, {"id":2,"tags":[[], {"x":null}],"name":"c"} ]'

for (const [path, expected] of [
  [[], list],
  [[0, 'id'], '1'],
  [[0, 'name'], '"a\\"],b"'],
  [[1, 'tags', 1, 'x'], 'null'],
  [[1, 'tags'], '[[], {"x":null}]'],
  [[1], '{"id":2,"tags":[[], {"x":null}],"name":"c"}'],
] as const) {
  test(`the value at ${pathText(path)} is found in the text`, () =>
    assert.equal(textAt(list, path), expected))
}

test('in place of a member that is missing, its nearest parent is found', () => {
  assert.equal(textAt('[{"id":1},{"id":2}]', [1, 'name']), '{"id":2}')
  assert.equal(textAt('[{"id":1}]', [4, 'name']), '[{"id":1}]')
})

test('of members with one name, the last is found', () => {
  assert.equal(textAt('{"a":{"b":1},"a":{"b":2}}', ['a', 'b']), '2')
  assert.equal(textAt('{"a":{"b":1},"a":7}', ['a', 'b']), '7')
  assert.equal(textAt('{"a":{"b":1},"a":{}}', ['a', 'b']), '{}')
})

test('every value of every JSON document is found at its path', () => {
  const visit = (text: string, value: unknown, path: JsonPath): void => {
    assert.deepEqual(JSON.parse(textAt(text, path) ?? ''), value)
    if (typeof value !== 'object' || value === null) return
    for (const [name, item] of Object.entries(value)) {
      visit(text, item, [...path, Array.isArray(value) ? Number(name) : name])
    }
  }
  fc.assert(
    fc.property(fc.json({ maxDepth: 4 }), fc.constantFrom(0, 1, 2), (json, indent) => {
      const value: unknown = JSON.parse(json)
      visit(JSON.stringify(value, null, indent), value, [])
    }),
  )
})

test('a path is written as in JSONPath', () => {
  assert.equal(pathText([3, 'name']), '$[3].name')
  assert.equal(pathText([]), '$')
  assert.equal(pathText(['odd name', '"']), '$["odd name"]["\\""]')
})

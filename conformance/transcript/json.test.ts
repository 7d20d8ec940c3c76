import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { isObject, JsonObject, type JsonPath, pathText, writeJson } from './json.ts'
import { invalidAt, locate, readJson } from './json-reader.ts'

const integers: Readonly<Record<string, readonly string[]>> = {
  '7': ['7', '7.0', '7e0', '70E-1'],
  '-7': ['-7'],
  '0': ['0', '-0', '0.000', '0e999999999999'],
  '1000': ['1e3'],
  '15': ['1.50e+1'],
  '9007199254740993': ['9007199254740993'],
  '-9223372036854775808': ['-9223372036854775808'],
  '9223372036854775807': ['9223372036854775807', '9223372036854775807.000', '9.223372036854775807e18'],
}

for (const [value, texts] of Object.entries(integers)) {
  test(`${texts.join(', ')} is the integer ${value}`, () => {
    for (const text of texts) assert.equal(readJson(text), BigInt(value))
  })
}

for (const text of `1.5 1e-1 1.00000000000000000001 4503599627370497.5 1e400 1${'0'.repeat(99)}`.split(' ')) {
  test(`${text.slice(0, 30)} is not an integer of int64`, () => {
    assert.equal(typeof readJson(text), 'number')
  })
}

for (const text of `|{|[1,]|01|1.|.5|+1|1e|'a'|"a|\ufeff[]|[1]x|NaN|{"a":1,}`.split('|')) {
  test(`${JSON.stringify(text)} is not JSON`, () => assert.equal(readJson(text), undefined))
}

test('members are read under any name; of those with one name, the last counts, and all are listed', () => {
  const value = readJson('{"__proto__":1,"constructor":"x","":null,"\\u0061\\"":[true],"":9007199254740993}')
  assert.ok(isObject(value))
  assert.deepEqual(
    [...value],
    [
      ['__proto__', 1n],
      ['constructor', 'x'],
      ['', null],
      ['a"', [true]],
      ['', 9007199254740993n],
    ],
  )
  assert.equal(value.get(''), 9007199254740993n)
  assert.ok(value.has('constructor') && !value.has('toString') && !value.has('x'))
})

test('endless nesting is not JSON and does not throw', () => {
  assert.equal(readJson('['.repeat(1_000_000)), undefined)
})

test('a text that breaks off leaves nothing for the next text', () => {
  for (const text of ['[1,[2,{"a":[3', '{"a":1,"b"', '[1}', '"']) {
    assert.equal(readJson(text), undefined)
    assert.deepEqual(readJson('[4]'), [4n])
  }
})

test('every text that JSON.stringify writes is read as the same value', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      assert.deepEqual(plain(readJson(JSON.stringify(value))), JSON.parse(JSON.stringify(value)))
    }),
  )
})

function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value)
  if (Array.isArray(value)) return value.map(plain)
  if (!(value instanceof JsonObject)) return value
  return JSON.parse(
    JSON.stringify(Object.fromEntries([...value].map(([name, member]) => [name, plain(member)]))),
  )
}

test('every JSON document is written so that it reads as the same value', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      const value = readJson(text)
      assert.ok(value !== undefined)
      assert.deepEqual(readJson(writeJson(value)), value)
    }),
  )
  assert.equal(
    writeJson(readJson('{"a":[9007199254740993,1.5,null,"\\u0000"]}') ?? null),
    '{"a":[9007199254740993,1.5,null,"\\u0000"]}',
  )
})

for (const [text, at] of [
  ['[1,2', 4],
  ['[1 2]', 3],
  ['\ufeff[]', 0],
  ['<html>', 0],
  ['{"a":tru}', 5],
  ['[] x', 3],
  ['', 0],
  ['[1.]', 3],
  ['01', 1],
  ['-.5', 1],
] as const) {
  test(`${JSON.stringify(text)} stops to be JSON at ${at}`, () => assert.equal(invalidAt(text), at))
}

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

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { formatPath, isObject, JsonObject, type JsonPath, writeJson } from './json.ts'
import { findInvalidPlace, locate, readJson } from './json-reader.ts'

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

describe('the JSON reader', () => {
  for (const [value, texts] of Object.entries(integers)) {
    it(`reads the integer ${value} from ${texts.join(', ')}`, () => {
      for (const text of texts) assert.equal(readJson(text), BigInt(value))
    })
  }

  it('reads a fraction, and a number beyond int64, as numbers', () => {
    for (const text of `1.5 1e-1 1.00000000000000000001 4503599627370497.5 1e400 1${'0'.repeat(99)}`.split(
      ' ',
    ))
      assert.equal(typeof readJson(text), 'number', text)
  })

  it('reads members of any name; the last one of a repeated name counts', () => {
    const value = readJson(
      '{"__proto__":1,"constructor":"x","":null,"\\u0061\\"":[true],"":9007199254740993}',
    )
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

  it('reads a number of a million digits', () => {
    assert.equal(typeof readJson(`1${'0'.repeat(1_000_000)}1`), 'number')
    assert.equal(readJson(`1.${'0'.repeat(1_000_000)}`), 1n)
    assert.equal(typeof readJson(`1.${'0'.repeat(1_000_000)}1`), 'number')
  })

  it('reads a thousand nested arrays, and rejects more', () => {
    const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)
    assert.ok(Array.isArray(readJson(nested(1000))))
    assert.equal(readJson(nested(500_000)), undefined)
  })

  it('accepts exactly the texts that JSON.parse accepts', () => {
    const tokens = `[ ] { } , : "a" " ' \\ \\u00e9 1 -0 1.5e3 01 1e . + - NaN true nul null`.split(' ')
    const parts = [...tokens, ' ', '\n', '\u00a0', '\u0001']
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

  it('reads every JSON document, and writes it back as the same value', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const value = readJson(text)
        assert.deepEqual(plain(value), JSON.parse(text))
        assert.deepEqual(readJson(writeJson(value ?? null)), value)
      }),
    )
    const text = '{"a":[9007199254740993,1.5,null,"\\u0000"]}'
    assert.equal(writeJson(readJson(text) ?? null), text)
  })
})

function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value)
  if (Array.isArray(value)) return value.map(plain)
  if (!(value instanceof JsonObject)) return value
  return JSON.parse(
    JSON.stringify(Object.fromEntries([...value].map(([name, member]) => [name, plain(member)]))),
  )
}

describe('the path of a value', () => {
  for (const [text, at] of [
    ['[1,2', 4],
    ['[1 2]', 3],
    ['[1,]', 3],
    ['{', 1],
    ['{"a":1,}', 7],
    ['\ufeff[]', 0],
    ['<html>', 0],
    ['"a', 0],
    ['{"a":tru}', 5],
    ['[] x', 3],
    ['', 0],
    ['[1.]', 2],
    ['01', 1],
  ] as const) {
    it(`is where a text stops being JSON: ${at} in ${JSON.stringify(text)}`, () => {
      assert.deepEqual([readJson(text), findInvalidPlace(text)], [undefined, at])
    })
  }

  function textAt(text: string, path: JsonPath): string | undefined {
    const span = locate(text, path)
    return span && text.slice(span.start, span.end)
  }

  it('leads to the nearest parent of a missing member', () => {
    assert.equal(textAt('[{"id":1},{"id":2}]', [1, 'name']), '{"id":2}')
    assert.equal(textAt('[{"id":1}]', [4, 'name']), '[{"id":1}]')
  })

  it('leads to the last one of several members with one name', () => {
    assert.equal(textAt('{"a":{"b":1},"a":{"b":2}}', ['a', 'b']), '2')
    assert.equal(textAt('{"a":{"b":1},"a":7}', ['a', 'b']), '7')
    assert.equal(textAt('{"a":{"b":1},"a":{}}', ['a', 'b']), '{}')
  })

  it('leads to every value of every JSON document', () => {
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

  it('is written as in JSONPath', () => {
    assert.equal(formatPath([3, 'name']), '$[3].name')
    assert.equal(formatPath([]), '$')
    assert.equal(formatPath(['odd name', '"']), '$["odd name"]["\\""]')
  })
})

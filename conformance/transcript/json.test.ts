import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { formatPath, isObject, JsonObject, type JsonPath } from './json.ts'
import { locate, readJson } from './json-reader.ts'

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

describe('readJson', () => {
  for (const [value, texts] of Object.entries(integers)) {
    it(`reads the integer ${value} from ${texts.join(', ')}`, () => {
      for (const text of texts) assert.equal(readJson(text), BigInt(value))
    })
  }

  it('reads fractions and large integers as numbers', () => {
    for (const text of `1.5 1e-1 1.00000000000000000001 4503599627370497.5 1e400 1${'0'.repeat(99)}`.split(
      ' ',
    ))
      assert.equal(typeof readJson(text), 'number', text)
  })

  it('returns members with unusual or repeated names', () => {
    const value = readJson(
      '{"__proto__":1,"constructor":"x","":null,"\\u0061\\"":[true],"":9007199254740993}',
    )
    assert.ok(isObject(value))
    assert.deepEqual(
      [...value],
      [
        ['__proto__', 1n],
        ['constructor', 'x'],
        ['', 9007199254740993n],
        ['a"', [true]],
      ],
    )
    assert.equal(value.get(''), 9007199254740993n)
    assert.ok(value.has('constructor') && !value.has('toString') && !value.has('x'))
  })

  it('reads numbers with a million digits', () => {
    assert.equal(typeof readJson(`1${'0'.repeat(1_000_000)}1`), 'number')
    assert.equal(readJson(`1.${'0'.repeat(1_000_000)}`), 1n)
    assert.equal(typeof readJson(`1.${'0'.repeat(1_000_000)}1`), 'number')
  })

  it('rejects arrays that are nested 500,000 levels deep', () => {
    const nestArrays = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)
    assert.ok(Array.isArray(readJson(nestArrays(1000))))
    assert.equal(readJson(nestArrays(500_000)), undefined)
  })

  it('accepts the same texts as JSON.parse', () => {
    const tokens = `[ ] { } , : "a" " ' \\ \\u00e9 1 -0 1.5e3 01 1e . + - NaN true nul null`.split(' ')
    const jsonParts = [...tokens, ' ', '\n', '\u00a0', '\u0001']
    const isJson = (text: string): boolean => {
      try {
        JSON.parse(text)
        return true
      } catch {
        return false
      }
    }
    const arbitraryTexts = fc.oneof(
      fc.array(fc.constantFrom(...jsonParts), { maxLength: 8 }).map((chosen) => chosen.join('')),
      fc.tuple(fc.json(), fc.nat(), fc.constantFrom(...jsonParts)).map(([text, n, part]) => {
        const offset = n % (text.length + 1)
        return text.slice(0, offset) + part + text.slice(offset)
      }),
    )
    fc.assert(
      fc.property(arbitraryTexts, (text) => assert.equal(readJson(text) !== undefined, isJson(text), text)),
      { numRuns: 2000 },
    )
  })

  it('returns the same values as JSON.parse', () => {
    fc.assert(fc.property(fc.json(), (text) => assert.deepEqual(toPlain(readJson(text)), JSON.parse(text))))
  })
})

function toPlain(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value)
  if (Array.isArray(value)) return value.map(toPlain)
  if (!(value instanceof JsonObject)) return value
  return JSON.parse(
    JSON.stringify(Object.fromEntries([...value].map(([name, member]) => [name, toPlain(member)]))),
  )
}

describe('a path in a JSON text', () => {
  function textAt(text: string, path: JsonPath): string {
    const { start, end } = locate(text, path)
    return text.slice(start, end)
  }

  it('points to the closest ancestor if a value is missing', () => {
    assert.equal(textAt('[{"id":1},{"id":2}]', [1, 'name']), '{"id":2}')
    assert.equal(textAt('[{"id":1}]', [4, 'name']), '[{"id":1}]')
  })

  it('points to the last member with a name', () => {
    assert.equal(textAt('{"a":{"b":1},"a":{"b":2}}', ['a', 'b']), '2')
    assert.equal(textAt('{"a":{"b":1},"a":7}', ['a', 'b']), '7')
    assert.equal(textAt('{"a":{"b":1},"a":{}}', ['a', 'b']), '{}')
  })

  it('points to every value in any JSON text', () => {
    const visitValue = (text: string, value: unknown, path: JsonPath): void => {
      assert.deepEqual(JSON.parse(textAt(text, path)), value)
      if (typeof value !== 'object' || value === null) return
      for (const [name, item] of Object.entries(value)) {
        visitValue(text, item, [...path, Array.isArray(value) ? Number(name) : name])
      }
    }
    fc.assert(
      fc.property(fc.json({ maxDepth: 4 }), fc.constantFrom(0, 1, 2), (json, indent) => {
        const value: unknown = JSON.parse(json)
        visitValue(` ${JSON.stringify(value, null, indent)}\n`, value, [])
      }),
    )
  })

  it('is formatted as JSONPath', () => {
    assert.equal(formatPath([3, 'name']), '$[3].name')
    assert.equal(formatPath([]), '$')
    assert.equal(formatPath(['odd name', '"']), '$["odd name"]["\\""]')
  })
})

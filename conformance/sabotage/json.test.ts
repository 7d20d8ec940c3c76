import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readJson, writeJson } from './json.ts'

test('every notation of an integer is read exactly, and other numbers remain numbers', () => {
  const text = '[9223372036854775807,-7,7.0,7e0,0.7e1,1500e-2,9.007199254740993e15,1.5,-0.05,1e999,0]'
  const expected = [9223372036854775807n, -7n, 7n, 7n, 7n, 15n, 9007199254740993n, 1.5, -0.05, Infinity, 0n]
  assert.deepEqual(readJson(text), expected)
})

test('strings and member names that look like numbers are unchanged', () => {
  const value = {
    '7': 's',
    n1: '"8": 9',
    nested: { a: ['n', '', '\\"1'] },
    flag: true,
    none: null,
  }
  assert.deepEqual(readJson(JSON.stringify(value)), value)
  assert.equal(writeJson(value), JSON.stringify(value))
})

test('a text that is not JSON throws a SyntaxError', () => {
  for (const text of ['', '{', '[1,]', '01', '"a', '{"a":1}}'])
    assert.throws(() => readJson(text), SyntaxError)
})

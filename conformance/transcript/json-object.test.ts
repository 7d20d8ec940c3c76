import assert from 'node:assert/strict'
import { test } from 'node:test'
import { JsonObject } from './json-object.ts'

test('a member has its value, also if the value is null', () => {
  const object = new JsonObject(['a', null, 'b', 1n])
  assert.equal(object.get('a'), null)
  assert.equal(object.get('b'), 1n)
  assert.ok(object.has('a'))
})

test('a name that no member has has no value, although a member has it as its value', () => {
  const object = new JsonObject(['a', 'b'])
  assert.equal(object.get('b'), undefined)
  assert.ok(!object.has('b'))
  assert.ok(!object.has('constructor'))
})

test('of members with one name, the last counts, and all are listed', () => {
  const object = new JsonObject(['a', 1n, 'b', 2n, 'a', 3n])
  assert.equal(object.get('a'), 3n)
  assert.deepEqual(
    [...object],
    [
      ['a', 1n],
      ['b', 2n],
      ['a', 3n],
    ],
  )
})

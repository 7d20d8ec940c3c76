import assert from 'node:assert/strict'
import { test } from 'node:test'
import { slotOf } from './slot.ts'

// Each number is what CLUSTER KEYSLOT of Redis 7 returns.
const known: Readonly<Record<string, number>> = {
  '': 0,
  '123456789': 12_739,
  'pet-adoption:key:shelter': 9443,
  'é{x}y{z}': 16_287,
  é: 10_180,
}

for (const [key, slot] of Object.entries(known))
  test(`the slot of ${JSON.stringify(key)} is ${slot}`, () => {
    assert.equal(slotOf(key), slot)
  })

test('only the text between the first braces counts, unless it is empty', () => {
  assert.equal(slotOf('a{user}b'), slotOf('user'))
  assert.equal(slotOf('{user}{other}'), slotOf('user'))
  assert.notEqual(slotOf('a{}b'), slotOf(''))
  assert.notEqual(slotOf('a{user'), slotOf('user'))
})

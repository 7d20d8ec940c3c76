import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSlots } from './redis-search.ts'

const one = [0, 5460, ['10.0.0.1', 7000, 'a'], ['10.0.0.4', 7003, 'd']]
const two = [5461, 16_383, ['10.0.0.2', 7001, 'b']]

test('a map has the master of each slot, and the first slot of each master', () => {
  const { slots, masters, firstSlots } = readSlots([two, one], '10.0.0.1:7000')
  assert.deepEqual(
    [slots[0], slots[5460], slots[5461], slots[16_383]],
    ['10.0.0.1:7000', '10.0.0.1:7000', '10.0.0.2:7001', '10.0.0.2:7001'],
  )
  assert.deepEqual(masters, ['10.0.0.1:7000', '10.0.0.2:7001'])
  assert.deepEqual([...firstSlots.values()], [0, 5461])
})

test('a server that does not know its own host is the one that was asked', () => {
  for (const host of ['', null, '?'])
    assert.deepEqual(readSlots([[0, 16_383, [host, 7000]]], 'redis.example.com:6379').masters, [
      'redis.example.com:7000',
    ])
})

test('slots that no server has are undefined', () => {
  assert.equal(readSlots([one], '10.0.0.1:7000').slots[5461], undefined)
})

for (const reply of [
  undefined,
  [],
  'OK',
  [[0]],
  [[0, 16_384, ['h', 1]]],
  [[-1, 2, ['h', 1]]],
  [[0, 1, ['h', 'x']]],
])
  test(`${JSON.stringify(reply)} is no map`, () => {
    assert.throws(() => readSlots(reply, 'h:1'), /CLUSTER SLOTS|no server has the slot/)
  })

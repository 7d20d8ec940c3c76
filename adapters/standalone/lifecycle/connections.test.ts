import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connectionsWithin } from './connections.ts'

test('connections leave 64 descriptors, are at most 10,000 and at least 1', () => {
  const limits = [32, 128, 1024, 1_048_576, undefined]
  assert.deepEqual(
    limits.map((limit) => connectionsWithin(limit)),
    [1, 64, 960, 10_000, 10_000],
  )
  assert.deepEqual([connectionsWithin(1024, 200), connectionsWithin(1024, 2_000)], [200, 960])
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { computeMaxConnections } from './connections.ts'

test('the connection limit leaves file descriptors for other uses', () => {
  const limits = [32, 128, 1024, 1_048_576, undefined]
  assert.deepEqual(
    limits.map((limit) => computeMaxConnections(limit)),
    [1, 64, 960, 10_000, 10_000],
  )
  assert.deepEqual([computeMaxConnections(1024, 200), computeMaxConnections(1024, 2_000)], [200, 960])
})

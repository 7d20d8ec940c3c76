import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lacks } from '../../testing/machine.ts'
import { connectionsWithin, countOpenDescriptors, readDescriptorLimit } from './descriptors.ts'

test('the connections leave 64 descriptors for everything else, and are 2,500 at most', () => {
  assert.deepEqual([128, 1024, 1_048_576, undefined].map(connectionsWithin), [64, 960, 2_500, 2_500])
})

test('a server accepts a connection under any limit', () => {
  assert.equal(connectionsWithin(32), 1)
})

test('the limit and the count of descriptors are those of the process', {
  skip: lacks.proc,
}, () => {
  const [limit = 0, open = 0] = [readDescriptorLimit(), countOpenDescriptors()]
  assert.ok(open > 2 && open < limit)
})

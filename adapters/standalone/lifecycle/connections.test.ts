import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import type { Server } from 'node:net'
import { test } from 'node:test'
import { lacks } from '../../testing/machine.ts'
import {
  connectionsWithin,
  countOpenDescriptors,
  createConnectionCounter,
  readDescriptorLimit,
} from './connections.ts'

test('a connection counts while it is open', () => {
  const [server, socket] = [new EventEmitter(), new EventEmitter()]
  const { count, watch } = createConnectionCounter()
  watch(server as unknown as Server) // all that it uses
  server.emit('connection', socket)
  assert.equal(count(), 1)
  socket.emit('close')
  assert.equal(count(), 0)
})

test('connections leave 64 descriptors, are at most 10,000 and at least 1', () => {
  const limits = [32, 128, 1024, 1_048_576, undefined]
  assert.deepEqual(
    limits.map((limit) => connectionsWithin(limit)),
    [1, 64, 960, 10_000, 10_000],
  )
  assert.deepEqual([connectionsWithin(1024, 200), connectionsWithin(1024, 2_000)], [200, 960])
})

test('reads the limit and the number of descriptors of the process', { skip: lacks.proc }, () => {
  const [limit = 0, open = 0] = [readDescriptorLimit(), countOpenDescriptors()]
  assert.ok(open > 2 && open < limit)
})

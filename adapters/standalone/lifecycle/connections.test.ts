import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { test } from 'node:test'
import { listen } from '../../testing/listen.ts'
import { lacks } from '../../testing/machine.ts'
import {
  ConnectionCount,
  connectionsWithin,
  countOpenDescriptors,
  readDescriptorLimit,
} from './connections.ts'

test('a connection counts while it is open', async () => {
  const server = createServer()
  const count = new ConnectionCount()
  count.watch(server)
  const port = await listen(server)
  assert.equal(count.open, 0)
  const client = connect(port, '127.0.0.1')
  const [accepted] = await once(server, 'connection')
  assert.equal(count.open, 1)
  client.destroy()
  await once(accepted, 'close')
  assert.equal(count.open, 0)
  server.close()
})

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

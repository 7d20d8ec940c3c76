import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { test } from 'node:test'
import { listen } from '../../testing/listen.ts'
import { createServerState } from './connections.ts'

test('a connection counts while it is open', async () => {
  const server = createServer()
  const state = createServerState()
  const count = () => state.connections
  state.watch(Object.assign(server, { isClosing: false }))
  const port = await listen(server)
  assert.equal(count(), 0)
  const client = connect(port, '127.0.0.1')
  const [accepted] = await once(server, 'connection')
  assert.equal(count(), 1)
  client.destroy()
  await once(accepted, 'close')
  assert.equal(count(), 0)
  server.close()
})

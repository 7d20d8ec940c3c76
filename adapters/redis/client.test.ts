import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Redis } from 'ioredis'
import { createClient, createCluster, createSentinel } from 'redis'
import { redisClient } from './index.ts'

describe('redisClient', () => {
  it('rejects values that are not a client', () => {
    for (const client of [undefined, null, 'redis://127.0.0.1', {}, { send() {} }])
      assert.throws(() => redisClient(client as never), {
        name: 'TypeError',
        message: /^redisClient expects a client/,
      })
  })

  it('rejects a client that is not open', () => {
    for (const client of [
      createClient(),
      createCluster({ rootNodes: [{ url: 'redis://127.0.0.1' }] }),
      createSentinel({ name: 'limits', sentinelRootNodes: [{ host: '127.0.0.1', port: 26_379 }] }),
    ])
      assert.throws(() => redisClient(client), /call its connect\(\) first/)
    const client = new Redis({ lazyConnect: true })
    assert.equal(typeof redisClient(client).send, 'function')
    client.disconnect()
    assert.throws(() => redisClient(client), /expects an open client/)
  })
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Redis } from 'ioredis'
import { createClient, createCluster } from 'redis'
import { redisClient } from './index.ts'

describe('redisClient', () => {
  it('rejects anything except a client', () => {
    // as a caller in JavaScript may
    for (const client of [undefined, null, 'redis://127.0.0.1', {}, { send() {} }])
      assert.throws(() => redisClient(client as never), {
        name: 'TypeError',
        message: /^redisClient requires a/,
      })
  })

  it('rejects a client that is not open', () => {
    for (const client of [createClient(), createCluster({ rootNodes: [{ url: 'redis://127.0.0.1' }] })])
      assert.throws(() => redisClient(client), /call its connect\(\) first/)
    const client = new Redis({ lazyConnect: true })
    assert.equal(typeof redisClient(client).send, 'function')
    client.disconnect()
    assert.throws(() => redisClient(client), /requires an open client/)
  })
})

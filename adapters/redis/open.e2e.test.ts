import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import * as ioredis from 'ioredis'
import { findFreePort } from '../contracts/testing/free-port.ts'
import { runCommand } from '../contracts/testing/private-cluster.ts'
import { createPrivateRedis, type PrivateRedis } from '../contracts/testing/private-redis.ts'
import { combineResources, testWith } from '../contracts/testing/resource.ts'
import { type BackendEvent, openRedis } from './index.ts'

const plain = await createPrivateRedis()
const promoted = await createPrivateRedis()
/** A fake Sentinel. Its SENTINEL command is MGET, so it returns what MSET has stored. */
const sentinel = await createPrivateRedis('--rename-command', 'MGET', 'SENTINEL')

const limits = [{ requests: 2, windowMs: 3_600_000 }]

/** Opens Redis and records the events. */
async function openWithEvents(url: string) {
  const events: BackendEvent[] = []
  const onEvent = (event: BackendEvent) => events.push(event)
  return { ...(await openRedis({ driver: ioredis, url, onEvent })), events }
}

describe('openRedis', () => {
  testWith(plain)('reports a server that becomes a replica, and recovers', async (t, { port }) => {
    const { metrics, close, events } = await openWithEvents(`redis://127.0.0.1:${port}`)
    t.after(close)
    assert.deepEqual(metrics(), { up: 1 })
    await runCommand({ port }, 'REPLICAOF', '127.0.0.1', String(await findFreePort()))
    while (metrics().up === 1) await setTimeout(50)
    assert.match(String(events[0]?.cause), /READONLY/)
    await runCommand({ port }, 'REPLICAOF', 'NO', 'ONE')
    while (metrics().up === 0) await setTimeout(50)
    assert.deepEqual(events.at(-1), {
      level: 'info',
      event: 'redis',
      message: 'Redis has recovered: limits are shared again',
    })
  })

  testWith(combineResources(sentinel, plain, promoted))(
    'finds a new master without a notification from Sentinel',
    async (t, [sentinel, old, promoted]) => {
      const setMaster = ({ port }: PrivateRedis) =>
        runCommand(
          sentinel,
          ...['MSET', 'get-master-addr-by-name', '127.0.0.1', 'limits', String(port), 'sentinels', ''],
        )
      await setMaster(old)
      const { limiter, close } = await openWithEvents(`redis+sentinel://127.0.0.1:${sentinel.port}/limits`)
      t.after(close)
      await limiter.consume('key:failover', limits)
      assert.equal(await runCommand(old, 'EXISTS', 'pet-adoption:key:failover'), '1')
      await setMaster(promoted)
      for (let i = 0; i < 150; i++) {
        await limiter.consume('key:failover', limits)
        if ((await runCommand(promoted, 'EXISTS', 'pet-adoption:key:failover')) === '1') return
        await setTimeout(100)
      }
      assert.fail('the limiter still uses the old master')
    },
  )
})

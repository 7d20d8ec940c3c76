import assert from 'node:assert/strict'
import { after } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { Cluster } from 'ioredis'
import { createCluster } from 'redis'
import { createCaseClock } from '../contracts/runner.ts'
import { testWith } from '../contracts/testing/part.ts'
import { commandOf, createPrivateCluster } from '../contracts/testing/private-cluster.ts'
import { createPrivateRedis } from '../contracts/testing/private-redis.ts'
import { connectTo } from '../contracts/testing/redis.ts'
import { createTcpProxy } from '../contracts/testing/tcp-proxy.ts'
import { createRedisLimiter, redisClient } from '../redis.ts'

const alone = await createPrivateRedis()
const cluster = await createPrivateCluster()
const limits = [{ requests: 10, windowMs: 3_600_000 }]

testWith(alone)(
  'a Redis may become silent or end, and is used again when it is back',
  async (_, { port }) => {
    const proxy = await createTcpProxy(port)
    const clock = createCaseClock()
    const reports: string[] = []
    const limiter = createRedisLimiter({
      client: redisClient(await connectTo(`redis://127.0.0.1:${proxy.port}`)),
      clock: clock.now,
      prefix: 'outage:',
      onFault: () => reports.push('failed'),
      onRecover: () => reports.push('recovered'),
    })
    assert.equal((await limiter.consume('key:a', limits)).remaining, 9)
    for (const [remaining, fail] of [[8, async () => proxy.silence()] as const, [7, proxy.cut] as const]) {
      await fail()
      for (let i = 1; i <= 10; i++)
        assert.equal((await limiter.consume(`key:while-${remaining}`, limits)).remaining, 10 - i)
      await proxy.recover()
      while (reports.at(-1) !== 'recovered') {
        clock.advance(1000)
        await limiter.consume('key:probe', limits)
        await setTimeout(5)
      }
      assert.equal((await limiter.consume('key:a', limits)).remaining, remaining)
    }
    assert.deepEqual(reports, ['failed', 'recovered', 'failed', 'recovered'])
  },
)

testWith(alone)(
  'a Redis that was flushed or restarted counts anew, and is sent the script again',
  async (_, { port, start, stop }) => {
    const connection = await connectTo(`redis://127.0.0.1:${port}`)
    const limiter = createRedisLimiter({
      client: redisClient(connection),
      timeoutMs: 5000,
      onFault: (error) => assert.fail(String(error)),
    })
    async function restart(): Promise<void> {
      await stop()
      await start()
    }
    for (const lose of [
      async () => connection.sendCommand(['FLUSHALL']),
      async () => connection.sendCommand(['SCRIPT', 'FLUSH']),
      restart,
    ]) {
      await limiter.consume('key:a', limits)
      await lose()
      assert.equal((await limiter.consume('key:b', limits)).allowed, true)
    }
    assert.equal((await limiter.consume('key:a', limits)).remaining, 9)
  },
)

testWith(alone)(
  'a Redis without memory goes on counting keys and addresses for all processes',
  async (_, { port }) => {
    const connection = await connectTo(`redis://127.0.0.1:${port}`)
    const limiters = [1, 2].map(() =>
      createRedisLimiter({
        client: redisClient(connection),
        prefix: 'full:',
        timeoutMs: 5000,
        onFault: (error) => assert.fail(String(error)),
      }),
    )
    await limiters[0]?.consume('key:known', limits)
    await connection.sendCommand(['CONFIG', 'SET', 'maxmemory', '1'])
    for (const [key, admitted] of Object.entries({
      'key:known': 9,
      'key:new': 10,
      'address:192.0.2.1': 10,
    })) {
      const requests = limiters.flatMap((limiter) =>
        Array.from({ length: 20 }, () => limiter.consume(key, limits)),
      )
      const decisions = await Promise.all(requests)
      assert.equal(decisions.filter(({ allowed }) => allowed).length, admitted, key)
    }
    await connection.sendCommand(['CONFIG', 'SET', 'maxmemory', '0'])
  },
)

testWith(cluster)(
  'a cluster stores each key on its node, behind redis and behind ioredis',
  async (_, { servers }) => {
    const ports = servers.map(({ port }) => port)
    const viaRedis = createCluster({ rootNodes: ports.map((port) => ({ url: `redis://127.0.0.1:${port}` })) })
    await viaRedis.connect()
    const viaIoredis = new Cluster(ports.map((port) => ({ host: '127.0.0.1', port })))
    after(() => {
      viaRedis.destroy()
      viaIoredis.disconnect()
    })
    const limiters = [redisClient(viaRedis), redisClient(viaIoredis)].map((client) =>
      createRedisLimiter({ client, timeoutMs: 5000, onFault: (error) => assert.fail(String(error)) }),
    )
    for (let key = 0; key < 20; key++) {
      const decisions = await Promise.all(
        limiters.flatMap((limiter) => Array.from({ length: 8 }, () => limiter.consume(`key:${key}`, limits))),
      )
      assert.equal(decisions.filter(({ allowed }) => allowed).length, 10)
    }
    for (const server of servers) assert.ok(Number(await commandOf(server, 'DBSIZE')) < 20)
  },
)

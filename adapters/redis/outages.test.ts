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
import { createRedisLimiter, type RedisClient, type RedisLimiterOptions, redisClient } from '../redis.ts'

const alone = await createPrivateRedis()
const cluster = await createPrivateCluster()
const limits = [{ requests: 10, windowMs: 3_600_000 }]
const onFault = (error: unknown) => assert.fail(String(error))

/** A limiter on a server. Returns the commands that it has sent, too. */
async function connectLimiter(port: number, options: Omit<RedisLimiterOptions, 'client'>) {
  const client = redisClient(await connectTo(`redis://127.0.0.1:${port}`))
  const sent: (string | undefined)[] = []
  const send: RedisClient['send'] = (args, key) => {
    sent.push(args[0])
    return client.send(args, key)
  }
  return { sent, limiter: createRedisLimiter({ client: { send }, ...options }) }
}

testWith(alone)(
  'a Redis may become silent or end, is left alone after five failures, and is used again when it is back',
  async (_, { port }) => {
    const proxy = await createTcpProxy(port)
    const clock = createCaseClock()
    const reports: string[] = []
    const { limiter, sent } = await connectLimiter(proxy.port, {
      clock: clock.now,
      prefix: 'outage:',
      onFault: () => reports.push('failed'),
      onRecover: () => reports.push('recovered'),
    })
    assert.equal((await limiter.consume('key:a', limits)).remaining, 9)
    for (const remaining of [8, 7]) {
      proxy.silent = true
      if (remaining === 7) await proxy.cut()
      sent.length = 0
      for (let i = 1; i <= 10; i++)
        assert.equal((await limiter.consume(`key:while-${remaining}`, limits)).remaining, 10 - i)
      assert.ok(sent.length <= 6, `${sent.length} calls`)
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
  'a Redis that was flushed or restarted counts anew, and is sent the script again, once',
  async (_, { port, start, stop }) => {
    const control = await connectTo(`redis://127.0.0.1:${port}`)
    const { limiter, sent } = await connectLimiter(port, { timeoutMs: 5000, onFault })
    await control.sendCommand(['SCRIPT', 'FLUSH'])
    for (const lose of [
      async () => control.sendCommand(['FLUSHALL']),
      async () => control.sendCommand(['SCRIPT', 'FLUSH']),
      async () => stop().then(start),
    ]) {
      await limiter.consume('key:a', limits)
      await lose()
      assert.equal((await limiter.consume('key:b', limits)).allowed, true)
    }
    assert.equal((await limiter.consume('key:a', limits)).remaining, 9)
    assert.equal(sent.filter((command) => command === 'EVAL').length, 3)
  },
)

testWith(alone)('a value in Redis that is no account counts as none', async (_, { port }) => {
  const { limiter } = await connectLimiter(port, { timeoutMs: 5000, prefix: 'damaged:', onFault })
  const control = await connectTo(`redis://127.0.0.1:${port}`)
  for (const value of ['1800000000123 60000 0 1', '', '\u0700', '\u0001\u0002']) {
    await control.sendCommand(['SET', 'damaged:key:a', value])
    for (const remaining of [9, 8])
      assert.equal((await limiter.consume('key:a', limits)).remaining, remaining, value)
  }
})

testWith(alone)(
  'a Redis without memory goes on counting keys and addresses for all processes',
  async (_, { port }) => {
    const connection = await connectTo(`redis://127.0.0.1:${port}`)
    const limiters = [1, 2].map(() =>
      createRedisLimiter({
        client: redisClient(connection),
        prefix: 'full:',
        timeoutMs: 5000,
        onFault,
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
      createRedisLimiter({ client, timeoutMs: 5000, onFault }),
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

import assert from 'node:assert/strict'
import { after } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { Cluster } from 'ioredis'
import { createCluster } from 'redis'
import type { RateLimiter } from '../../core/index.ts'
import { createCaseClock } from '../contracts/runner.ts'
import { testWith } from '../contracts/testing/part.ts'
import { createPrivateCluster, runCommand } from '../contracts/testing/private-cluster.ts'
import { createPrivateRedis } from '../contracts/testing/private-redis.ts'
import { connectTo } from '../contracts/testing/redis.ts'
import { createTcpProxy } from '../contracts/testing/tcp-proxy.ts'
import { createRedisLimiter, type RedisClient, type RedisLimiterOptions, redisClient } from './index.ts'

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
  'a Redis that is silent or gone is tried once per second until it is back',
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
  'a Redis that lost its data counts from zero, and gets the script once',
  async (_, { port, start, stop }) => {
    const control = await connectTo(`redis://127.0.0.1:${port}`)
    const { limiter, sent } = await connectLimiter(port, { timeoutMs: 5000, onFault })
    // Until the hash of the script is computed, each call has its text.
    while (!sent.includes('EVALSHA')) await limiter.consume('key:c', limits)
    sent.length = 0
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

const damages: Readonly<Record<string, readonly string[]>> = {
  'a text': ['SET', 'damaged:key:a', '1800000000123 60000 0 1'],
  'an empty text': ['SET', 'damaged:key:a', ''],
  'invalid MessagePack': ['SET', 'damaged:key:a', '\u0700'],
  'another MessagePack': ['SET', 'damaged:key:a', '\u0001\u0002'],
  'a list': ['RPUSH', 'damaged:key:a', '1'],
  'a hash': ['HSET', 'damaged:key:a', 'at', '1'],
  ...Object.fromEntries(
    ["'a'", '{}', 'false', '0/0', '1/0', '2^60'].map((member) => [
      `an account of ${member}`,
      ['EVAL', parseAccount(member), '1', 'damaged:key:a'],
    ]),
  ),
}

/** A script that stores a list as long as an account. */
function parseAccount(member: string): string {
  return `local list = {} for i = 1, 20 do list[i] = ${member} end
return redis.call('SET', KEYS[1], cmsgpack.pack(list))`
}

for (const [what, command] of Object.entries(damages))
  testWith(alone)(`${what} in Redis counts as no account`, async (_, { port }) => {
    const { limiter } = await connectLimiter(port, { timeoutMs: 5000, prefix: 'damaged:', onFault })
    const control = await connectTo(`redis://127.0.0.1:${port}`)
    await control.sendCommand(['DEL', 'damaged:key:a'])
    await control.sendCommand([...command])
    for (const remaining of [9, 8])
      assert.equal((await limiter.consume('key:a', limits)).remaining, remaining)
  })

/** Sends requests with a key through each limiter, all at once. Returns how many are admitted. */
async function admitted(limiters: readonly RateLimiter[], key: string): Promise<number> {
  const requests = limiters.flatMap((limiter) =>
    Array.from({ length: 8 }, () => limiter.consume(key, limits)),
  )
  return (await Promise.all(requests)).filter(({ allowed }) => allowed).length
}

testWith(alone)('a full Redis continues to count keys and addresses', async (_, { port }) => {
  const control = await connectTo(`redis://127.0.0.1:${port}`)
  const options = { client: redisClient(control), prefix: 'full:', timeoutMs: 5000, onFault }
  const limiters = [createRedisLimiter(options), createRedisLimiter(options)]
  await limiters[0]?.consume('key:known', limits)
  await control.sendCommand(['CONFIG', 'SET', 'maxmemory', '1'])
  assert.equal(await admitted(limiters, 'key:known'), 9)
  for (const key of ['key:new', 'address:192.0.2.1']) assert.equal(await admitted(limiters, key), 10)
  await control.sendCommand(['CONFIG', 'SET', 'maxmemory', '0'])
})

testWith(cluster)(
  'a cluster stores each key on its node, with redis and with ioredis',
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
    for (let key = 0; key < 20; key++) assert.equal(await admitted(limiters, `key:${key}`), 10)
    for (const server of servers) assert.ok(Number(await runCommand(server, 'DBSIZE')) < 20)
  },
)

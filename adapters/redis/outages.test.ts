import assert from 'node:assert/strict'
import { after } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { Cluster } from 'ioredis'
import { createCluster, createSentinel } from 'redis'
import type { RateLimiter } from '../../core/index.ts'
import { createCaseClock } from '../contracts/runner.ts'
import { findFreePort } from '../contracts/testing/free-port.ts'
import { createPrivateCluster, runCommand } from '../contracts/testing/private-cluster.ts'
import { createPrivateRedis } from '../contracts/testing/private-redis.ts'
import { launchSentinel } from '../contracts/testing/private-sentinel.ts'
import { connectRedisAt } from '../contracts/testing/redis.ts'
import { testWith } from '../contracts/testing/resource.ts'
import { createTcpProxy } from '../contracts/testing/tcp-proxy.ts'
import { createRedisLimiter, type RedisClient, type RedisLimiterOptions, redisClient } from './index.ts'

const singleRedis = await createPrivateRedis()
const cluster = await createPrivateCluster(0)
const limits = [{ requests: 10, windowMs: 3_600_000 }]
const onFault = (error: unknown) => assert.fail(String(error))

/** Connects a limiter to Redis and records the commands that it sends. */
async function connectLimiter(port: number, options: Omit<RedisLimiterOptions, 'client'>) {
  const client = redisClient(await connectRedisAt(`redis://127.0.0.1:${port}`))
  const sent: (string | undefined)[] = []
  const send: RedisClient['send'] = (args, key) => {
    sent.push(args[0])
    return client.send(args, key)
  }
  return { sent, limiter: createRedisLimiter({ client: { send }, ...options }) }
}

testWith(singleRedis)(
  'an unavailable Redis is called once per second until it recovers',
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
    // An outage is reported again when its cause changes.
    const changes = reports.filter((report, i) => report !== reports[i - 1])
    assert.deepEqual(changes, ['failed', 'recovered', 'failed', 'recovered'])
  },
)

testWith(singleRedis)(
  'a limiter starts at zero and sends its script when Redis loses data',
  async (_, { port, start, stop }) => {
    const control = await connectRedisAt(`redis://127.0.0.1:${port}`)
    const { limiter, sent } = await connectLimiter(port, { timeoutMs: 5000, onFault })
    // Until the script's hash is computed, the limiter sends EVAL.
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

const damageCommands: Readonly<Record<string, readonly string[]>> = {
  'a string': ['SET', 'damaged:key:a', '1800000000123 60000 0 1'],
  'an empty string': ['SET', 'damaged:key:a', ''],
  'invalid MessagePack': ['SET', 'damaged:key:a', '\u0700'],
  'MessagePack of another shape': ['SET', 'damaged:key:a', '\u0001\u0002'],
  'a list': ['RPUSH', 'damaged:key:a', '1'],
  'a hash': ['HSET', 'damaged:key:a', 'at', '1'],
  ...Object.fromEntries(
    ["'a'", '{}', 'false', '0/0', '1/0', '2^60'].map((member) => [
      `an account that contains ${member}`,
      ['EVAL', createAccountScript(member), '1', 'damaged:key:a'],
    ]),
  ),
}

function createAccountScript(member: string): string {
  return `local list = {} for i = 1, 20 do list[i] = ${member} end
return redis.call('SET', KEYS[1], cmsgpack.pack(list))`
}

for (const [what, command] of Object.entries(damageCommands))
  testWith(singleRedis)(`${what} in Redis is replaced by a new account`, async (_, { port }) => {
    const { limiter } = await connectLimiter(port, { timeoutMs: 5000, prefix: 'damaged:', onFault })
    const control = await connectRedisAt(`redis://127.0.0.1:${port}`)
    await control.sendCommand(['DEL', 'damaged:key:a'])
    await control.sendCommand([...command])
    for (const remaining of [9, 8])
      assert.equal((await limiter.consume('key:a', limits)).remaining, remaining)
  })

/** Sends eight requests through each limiter in parallel. Returns how many were allowed. */
async function countAdmitted(limiters: readonly RateLimiter[], key: string): Promise<number> {
  const requests = limiters.flatMap((limiter) =>
    Array.from({ length: 8 }, () => limiter.consume(key, limits)),
  )
  return (await Promise.all(requests)).filter(({ allowed }) => allowed).length
}

testWith(singleRedis)('a full Redis counts requests by key and by client address', async (_, { port }) => {
  const control = await connectRedisAt(`redis://127.0.0.1:${port}`)
  const options = { client: redisClient(control), prefix: 'full:', timeoutMs: 5000, onFault }
  const limiters = [createRedisLimiter(options), createRedisLimiter(options)]
  await limiters[0]?.consume('key:known', limits)
  await control.sendCommand(['CONFIG', 'SET', 'maxmemory', '1'])
  assert.equal(await countAdmitted(limiters, 'key:known'), 9)
  for (const key of ['key:new', 'address:192.0.2.1']) assert.equal(await countAdmitted(limiters, key), 10)
  await control.sendCommand(['CONFIG', 'SET', 'maxmemory', '0'])
})

testWith(cluster)('clients of redis and ioredis share limits in a cluster', async (_, { servers }) => {
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
  for (let key = 0; key < 20; key++) assert.equal(await countAdmitted(limiters, `key:${key}`), 10)
  for (const server of servers) assert.ok(Number(await runCommand(server, 'DBSIZE')) < 20)
})

testWith(singleRedis)('a Sentinel client of redis counts on the master', async (_, { port }) => {
  const sentinel = await findFreePort()
  const monitor = `sentinel monitor limits 127.0.0.1 ${port} 1`
  await launchSentinel(sentinel, [`port ${sentinel}`, 'bind 127.0.0.1', monitor])
  const client = createSentinel({
    name: 'limits',
    sentinelRootNodes: [{ host: '127.0.0.1', port: sentinel }],
  })
  await client.connect()
  after(() => client.destroy())
  const limiter = createRedisLimiter({
    client: redisClient(client),
    prefix: 'sentinel:',
    timeoutMs: 5000,
    onFault,
  })
  assert.equal(await countAdmitted([limiter, limiter], 'key:a'), 10)
  assert.equal(await runCommand({ port }, 'EXISTS', 'sentinel:key:a'), '1')
})

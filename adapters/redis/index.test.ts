import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { Redis } from 'ioredis'
import type { Decision } from '../../core/index.ts'
import { defaultBanPolicy } from '../../core/limits/bans.ts'
import { rateLimiterContract } from '../contracts/index.ts'
import { createCaseClock } from '../contracts/runner.ts'
import { connectRedis, createPrefixNamer, redisUrl, type TestRedis } from '../contracts/testing/redis.ts'
import { getResource, testWith } from '../contracts/testing/resource.ts'
import { createRedisLimiter, type RedisClient, type RedisLimiterOptions, redisClient } from './index.ts'

const redis = await connectRedis()
const test = testWith(redis)
const newPrefix = createPrefixNamer()
const tenPerHour = [{ requests: 10, windowMs: 3_600_000 }]

const onFault = (error: unknown) => assert.fail(String(error))
const getServer = (): TestRedis => getResource(redis)

/** Creates several limiters with the same prefix. To Redis, each is a separate process. */
function createProcesses(
  size: number,
  options: Partial<RedisLimiterOptions> = {},
): (() => Promise<Decision>)[] {
  const prefix = newPrefix()
  return Array.from({ length: size }, () => {
    const limiter = createRedisLimiter({
      client: redisClient(getServer()),
      prefix,
      timeoutMs: 5000,
      onFault,
      ...options,
    })
    return async () => limiter.consume('key:a', tenPerHour)
  })
}

function consumeTimes(times: number, consume: () => Promise<Decision>): Promise<Decision[]> {
  return Promise.all(Array.from({ length: times }, consume))
}

rateLimiterContract({
  test: (name, body) => test(`a Redis limiter: ${name}`, body),
  create: (setup) =>
    createRedisLimiter({
      client: redisClient(getServer()),
      prefix: newPrefix(),
      timeoutMs: 5000,
      onFault,
      ...setup,
    }),
})

rateLimiterContract({
  test: (name, body) => test(`a Redis limiter with ioredis: ${name}`, body),
  create({ ban }) {
    const client = new Redis(redisUrl)
    const options = { client: redisClient(client), prefix: newPrefix(), timeoutMs: 5000, ban, onFault }
    return { ...createRedisLimiter(options), close: () => client.disconnect() }
  },
  close: (limiter) => limiter.close(),
  clock: false,
  bans: false,
})

describe('createRedisLimiter', () => {
  test('enforces limits exactly even when the event loop is blocked', async () => {
    const requests = createProcesses(3, { timeoutMs: 1_500 }).map((consume) => consumeTimes(300, consume))
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_800)
    const decisions = (await Promise.all(requests)).flat()
    assert.equal(decisions.filter(({ allowed }) => allowed).length, 10)
  })

  test('shares bans between processes', async () => {
    const clock = createCaseClock()
    const processes = createProcesses(3, { clock: clock.now })
    const decisions: Decision[] = []
    async function sendAfter(ms: number, times: number): Promise<void> {
      clock.advance(ms)
      decisions.push(...(await Promise.all(processes.map((consume) => consumeTimes(times, consume)))).flat())
    }
    for (const [ms, times] of [
      [0, 200],
      [999, 200],
      [1, 31],
      [1000, 1],
    ] as const)
      await sendAfter(ms, times)
    assert.equal(decisions.filter(({ allowed }) => allowed).length, 10)
    assert.ok(decisions.every(({ banned }) => !banned))
    for (let i = 0; i < 2; i++) await sendAfter(1000, 1)
    assert.ok(decisions.slice(-3).every(({ banned }) => banned))
  })

  test('calls Redis only once for a banned key', async () => {
    const clock = createCaseClock()
    let calls = 0
    const client: RedisClient = {
      send(args, key) {
        calls++
        return redisClient(getServer()).send(args, key)
      },
    }
    const limiter = createRedisLimiter({ client, prefix: newPrefix(), timeoutMs: 5000, clock: clock.now })
    const sendRequests = async (times: number) => {
      for (let i = 0; i < times; i++) await limiter.consume('key:a', tenPerHour)
    }
    await sendRequests(1)
    calls = 0
    await sendRequests(309) // the first 300 rejections count as one
    clock.advance(1000)
    await sendRequests(1000)
    clock.advance(defaultBanPolicy.firstBanMs - 1)
    await sendRequests(1000)
    assert.equal(calls, 309 + 99)
  })

  test('expires unused accounts and never stores a peek', async () => {
    const prefix = newPrefix()
    const limiter = createRedisLimiter({ client: redisClient(getServer()), prefix, timeoutMs: 5000 })
    await limiter.consume('key:a', [{ requests: 10, windowMs: 60_000 }])
    const ttlMs = Number(await getServer().sendCommand(['PTTL', `${prefix}key:a`]))
    assert.ok(ttlMs > 50_000 && ttlMs <= 60_000, `expires in ${ttlMs} ms`)
    await limiter.peek('key:b', tenPerHour)
    assert.equal(await getServer().sendCommand(['EXISTS', `${prefix}key:b`]), 0)
  })

  test('stores all client addresses in at most 20 MiB', async () => {
    const [prefix, clock] = [newPrefix(), createCaseClock()]
    const limits = [
      { requests: 60, windowMs: 60_000 },
      { requests: 1000, windowMs: 86_400_000 },
    ]
    const options = { client: redisClient(getServer()), prefix, timeoutMs: 5000, clock: clock.now }
    // A new limiter has no cached ban, so it calls Redis.
    const consume = async () => createRedisLimiter(options).consume('address:192.0.2.1', limits)
    for (let i = 0; i < 61; i++) await consume()
    clock.advance(100)
    for (let i = 0; i < 98; i++) {
      clock.advance(i % 9 < 5 ? 1000 : 100) // makes the stored numbers as long as possible
      await consume()
    }
    const [accountKey] = (await getServer().sendCommand(['KEYS', `${prefix}address:*`])) as string[] // KEYS returns an array of strings
    const bytes = Number(await getServer().sendCommand(['MEMORY', 'USAGE', accountKey ?? '']))
    const expiryBytes = 100
    assert.ok((bytes + expiryBytes) * 65_536 <= 20 * 2 ** 20, `${bytes} bytes`)
    assert.equal((await consume()).banned, true)
  })
})

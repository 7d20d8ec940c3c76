import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { Redis } from 'ioredis'
import type { Decision } from '../../core/index.ts'
import { defaultBanPolicy } from '../../core/limits/bans.ts'
import { rateLimiterContract } from '../contracts/index.ts'
import { createCaseClock } from '../contracts/runner.ts'
import { partValue, testWith } from '../contracts/testing/part.ts'
import { connectRedis, redisUrl, type TestRedis, temporaryPrefixes } from '../contracts/testing/redis.ts'
import { createRedisLimiter, type RedisLimiterOptions, redisClient } from './index.ts'

const redis = await connectRedis()
const test = testWith(redis)
const newPrefix = temporaryPrefixes()
const tenAnHour = [{ requests: 10, windowMs: 3_600_000 }]

const onFault = (error: unknown) => assert.fail(String(error))
const server = (): TestRedis => partValue(redis)

/** Creates `size` limiters; to Redis each is a process. Returns a request through each. */
function createProcesses(
  size: number,
  options: Partial<RedisLimiterOptions> = {},
): (() => Promise<Decision>)[] {
  const prefix = newPrefix()
  return Array.from({ length: size }, () => {
    const limiter = createRedisLimiter({
      client: redisClient(server()),
      prefix,
      timeoutMs: 5000,
      onFault,
      ...options,
    })
    return async () => limiter.consume('key:a', tenAnHour)
  })
}

function all(times: number, consume: () => Promise<Decision>): Promise<Decision[]> {
  return Promise.all(Array.from({ length: times }, consume))
}

rateLimiterContract({
  test: (name, body) => test(`by the clock of the case: ${name}`, body),
  create: (setup) =>
    createRedisLimiter({
      client: redisClient(server()),
      prefix: newPrefix(),
      timeoutMs: 5000,
      onFault,
      ...setup,
    }),
})

rateLimiterContract({
  test: (name, body) => test(`over ioredis, by the clock of Redis: ${name}`, body),
  create({ ban }) {
    const client = new Redis(redisUrl)
    const options = { client: redisClient(client), prefix: newPrefix(), timeoutMs: 5000, ban, onFault }
    return { ...createRedisLimiter(options), close: () => client.disconnect() }
  },
  close: (limiter) => limiter.close(),
  clock: false,
  bans: false,
})

describe('the Redis limiter', () => {
  test('admits one limit in three processes, also after a pause', async () => {
    const requests = createProcesses(3, { timeoutMs: 500 }).map((consume) => all(300, consume))
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 600)
    const decisions = (await Promise.all(requests)).flat()
    assert.equal(decisions.filter(({ allowed }) => allowed).length, 10)
  })

  test('counts rejections of all processes towards one ban, a burst as one', async () => {
    const clock = createCaseClock()
    const processes = createProcesses(3, { clock: clock.now })
    const decisions: Decision[] = []
    async function sendAfter(ms: number, times: number): Promise<void> {
      clock.advance(ms)
      decisions.push(...(await Promise.all(processes.map((consume) => all(times, consume)))).flat())
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

  test('counts rejections that are reported late for the time they were made', async () => {
    const clock = createCaseClock()
    const [consume] = createProcesses(1, { clock: clock.now })
    assert.ok(consume)
    await all(10, consume)
    for (let i = 0; i < 20; i++) {
      const rejections = await all(60, consume)
      assert.ok(rejections.every(({ allowed, banned }) => !allowed && !banned))
      clock.advance(defaultBanPolicy.withinMs)
    }
  })

  test('expires a key when its account counts as new', async () => {
    const prefix = newPrefix()
    const limiter = createRedisLimiter({ client: redisClient(server()), prefix, timeoutMs: 5000 })
    await limiter.consume('key:a', [{ requests: 10, windowMs: 60_000 }])
    const restMs = Number(await server().sendCommand(['PTTL', `${prefix}key:a`]))
    assert.ok(restMs > 50_000 && restMs <= 60_000, `expires in ${restMs} ms`)
    await limiter.peek('key:b', tenAnHour)
    assert.equal(await server().sendCommand(['EXISTS', `${prefix}key:b`]), 0)
  })

  test('uses less than 20 MiB for all addresses', async () => {
    const [prefix, clock] = [newPrefix(), createCaseClock()]
    const limits = [
      { requests: 60, windowMs: 60_000 },
      { requests: 1000, windowMs: 86_400_000 },
    ]
    const options = { client: redisClient(server()), prefix, timeoutMs: 5000, clock: clock.now }
    // A new limiter, so that Redis is called each time.
    const consume = async () => createRedisLimiter(options).consume('address:192.0.2.1', limits)
    for (let i = 0; i < 61; i++) await consume()
    clock.advance(100)
    for (let i = 0; i < 98; i++) {
      clock.advance(i % 9 < 5 ? 1000 : 100) // the most digits that fit into a minute
      await consume()
    }
    const [place] = (await server().sendCommand(['KEYS', `${prefix}address:*`])) as string[] // of Redis
    const bytes = Number(await server().sendCommand(['MEMORY', 'USAGE', place ?? '']))
    const bytesOfExpiry = 100
    assert.ok((bytes + bytesOfExpiry) * 65_536 <= 20 * 2 ** 20, `${bytes} bytes`)
    assert.equal((await consume()).banned, true)
  })
})

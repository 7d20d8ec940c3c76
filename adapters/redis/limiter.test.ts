import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createKeyStore, createPetService, LimiterUnavailable } from '../../core/index.ts'
import { createCaseClock } from '../contracts/runner.ts'
import { createRedisLimiter, type RedisLimiterOptions } from './index.ts'

// The limiter's own timer keeps no process alive.
const alive = setInterval(() => {}, 1_000)
after(() => clearInterval(alive))

const limits = [{ requests: 2, windowMs: 3_600_000 }]
const reset = 1_800_003_601
const admission = [1, 0, 2, 1, reset, 0, 0, 0]
const rejection = [0, 0, 2, 0, reset, 60_000, 100, 0]
const ban = [0, 1, 2, 0, reset, 900_000, 0, 0]

const returning = (value: unknown) => async () => value
const gone = () => Promise.reject(new Error('connect ECONNREFUSED'))
const silent = () => new Promise<never>(() => {})

/** Creates a limiter on a client that does with each command what `redis` does then. Its reports are recorded. */
function limiterOn(
  redis: (args: readonly string[]) => Promise<unknown>,
  options: Partial<RedisLimiterOptions> = {},
) {
  const clock = createCaseClock()
  const sent: (readonly string[])[] = []
  const reports: string[] = []
  const limiter = createRedisLimiter({
    client: {
      send(args) {
        sent.push(args)
        return scripted.redis(args)
      },
    },
    clock: clock.now,
    timeoutMs: 10,
    onFault: (error) => reports.push(String(error)),
    onRecover: () => reports.push('recovered'),
    ...options,
  })
  const scripted = {
    redis,
    sent,
    reports,
    clock,
    limiter,
    consume: async (key = 'key:a') => limiter.consume(key, limits),
    peek: async () => limiter.peek('key:a', limits),
  }
  return scripted
}

/** Reads the cost and the earlier rejections from a call of the script. */
function readInput([, , , , input = '']: readonly string[] = []): string {
  const { cost, earlier } = JSON.parse(input)
  return `${cost} ${earlier?.count ?? 0} ${earlier?.agoMs ?? ''}`
}

/** Decisions about three requests of a limit of two, without Redis. */
const withoutRedis = {
  local: [
    { allowed: true, remaining: 1 },
    { allowed: true, remaining: 0 },
    { allowed: false, remaining: 0 },
  ],
  open: Array(3).fill({ allowed: true, remaining: 2 }),
  closed: Array(3).fill('LimiterUnavailable because of an Error'),
} as const

describe('the Redis limiter', () => {
  for (const [failure, redis] of Object.entries({ gone, silent }))
    for (const onUnavailable of ['local', 'open', 'closed'] as const)
      it(`decides ${onUnavailable} while Redis is ${failure}`, async () => {
        const { consume } = limiterOn(redis, { onUnavailable })
        const decided = async () => {
          try {
            const { allowed, remaining } = await consume()
            return { allowed, remaining }
          } catch (error) {
            assert.ok(error instanceof LimiterUnavailable && error.cause instanceof Error)
            return 'LimiterUnavailable because of an Error'
          }
        }
        assert.deepEqual([await decided(), await decided(), await decided()], withoutRedis[onUnavailable])
      })

  it('rejects a burst without Redis after its first rejection', async () => {
    const calls: ((value: unknown) => void)[] = []
    const limiter = limiterOn(() => new Promise((resolve) => calls.push(resolve)), { timeoutMs: 5000 })
    const burst = Array.from({ length: 1000 }, () => limiter.consume())
    const other = limiter.consume('key:b')
    await nextTurn()
    assert.equal(calls.length, 128)
    calls[0]?.([...rejection.slice(0, 6), 0])
    await Promise.all(burst.slice(128))
    await nextTurn()
    assert.equal(calls.length, 129)
    calls[128]?.(admission)
    assert.equal((await other).allowed, true)
    for (const respond of calls) respond(rejection)
    await Promise.all(burst)
  })

  it('lets no key wait behind addresses', async () => {
    const limiter = limiterOn(silent, { timeoutMs: 50 })
    const burst = Array.from({ length: 1000 }, (_, i) => limiter.consume(`address:${i}`))
    limiter.redis = returning(admission)
    assert.equal((await limiter.consume('key:a')).reset, reset)
    await Promise.all(burst)
  })

  for (const value of [null, 'OK', [], [1, 0, 2], [1, 0, 2, 'x', 5, 0, 0]])
    it(`counts the invalid result ${JSON.stringify(value)} as a failure`, async () => {
      const limiter = limiterOn(returning(value))
      assert.equal((await limiter.consume()).remaining, 1)
      assert.match(limiter.reports.join(), /Redis returned .* from the script/)
    })

  const bannedNext = [...rejection.slice(0, 6), 1]
  const uncountedFor400Ms = [...rejection.slice(0, 6), 2, 400]

  /** Results of Redis, the number of requests at each millisecond, and the report of the second call. */
  type Repetition = readonly [
    results: readonly (readonly number[])[],
    requests: Readonly<Record<string, number>>,
    handedOn: string,
  ]
  const repetitions: Readonly<Record<string, Repetition>> = {
    'is repeated without Redis, and reported after a second': [
      [rejection],
      { 0: 1, 100: 1, 200: 1, 300: 1, 1000: 1 },
      '3 700',
    ],
    'lets one of many requests call Redis again after a second': [[rejection], { 0: 1, 1000: 50 }, '0 '],
    'lets one of many requests call Redis if it may cause a ban': [[bannedNext], { 0: 51 }, '0 '],
    'calls Redis for the request that causes a ban, not during the ban': [
      [rejection, ban],
      { 0: 101, 1: 200 },
      '99 0',
    ],
    'that does not count is repeated, and reported as not counted': [
      [uncountedFor400Ms],
      { 0: 101, 399: 100, 400: 1, 500: 1 },
      '1 100',
    ],
  }

  for (const [what, [results, requests, handedOn]] of Object.entries(repetitions))
    it(`a rejection ${what}`, async () => {
      const limiter = limiterOn(async () => results[Math.min(limiter.sent.length, results.length) - 1])
      const begin = limiter.clock.now()
      for (const [at, times] of Object.entries(requests)) {
        limiter.clock.advance(begin + Number(at) - limiter.clock.now())
        await limiter.consume()
        await Promise.all(Array.from({ length: times - 1 }, () => limiter.consume()))
      }
      assert.deepEqual(limiter.sent.map(readInput), ['1 0 ', `1 ${handedOn}`])
      assert.equal((await limiter.consume()).banned, results.includes(ban))
    })

  it('reports the first failure to onError without onFault', async () => {
    const causes: string[] = []
    const limiter = createRedisLimiter({ client: { send: gone }, timeoutMs: 10 })
    for (const name of ['one', 'two']) {
      const onError = (cause: unknown) => causes.push(`${name}: ${cause}`)
      createPetService({ keys: createKeyStore([]), limiter, onError })
    }
    for (let i = 0; i < 3; i++) await limiter.consume('key:a', limits)
    assert.deepEqual(causes, ['one: Error: connect ECONNREFUSED', 'two: Error: connect ECONNREFUSED'])
  })

  it('peeks at a key with one call per second, and shows later charges', async () => {
    const limiter = limiterOn(returning(rejection))
    for (let i = 0; i < 2; i++) await limiter.consume()
    limiter.redis = returning(admission)
    const all = await Promise.all(Array.from({ length: 100 }, limiter.peek))
    assert.ok(all.every(({ remaining }) => remaining === 1))
    await limiter.consume()
    limiter.clock.advance(999)
    const expected = { allowed: true, banned: false, limit: 2, remaining: 0, reset, waitMs: 0 }
    assert.deepEqual(await limiter.peek(), expected)
    limiter.clock.advance(1)
    assert.equal((await limiter.peek()).remaining, 1)
    assert.deepEqual(limiter.sent.map(readInput), ['1 0 ', '0 0 ', '0 0 '])
  })

  it('does not remember a failed peek', async () => {
    const limiter = limiterOn(gone, { onUnavailable: 'closed' })
    await assert.rejects(limiter.peek())
    limiter.redis = returning(admission)
    assert.equal((await limiter.peek()).remaining, 1)
  })

  it('counts addresses in 65,536 accounts, all /64 of a /48 in one', async () => {
    const limiter = limiterOn(returning(admission))
    const places = async (key: (i: number) => string) => {
      limiter.sent.length = 0
      for (let i = 0; i < 100; i++) await limiter.consume(`address:${key(1000 + i)}`)
      return new Set(limiter.sent.map((args) => args[3]))
    }
    assert.equal((await places((i) => `20010db80001${i}::/64`)).size, 1)
    const others = await places((i) => `20010db8${i}0000::/64`)
    assert.ok(others.size > 95)
    for (const place of others) assert.match(place ?? '', /^pet-adoption:address:[\da-f]{4}$/)
  })

  it('repeats a known rejection while Redis is gone', async () => {
    const limiter = limiterOn(returning(ban))
    await limiter.consume()
    limiter.redis = gone
    for (let i = 0; i < 10; i++) {
      limiter.clock.advance(60_000)
      assert.equal((await limiter.consume()).banned, true)
    }
    limiter.clock.advance(300_000)
    assert.equal((await limiter.consume()).allowed, true)
  })

  describe('a remembered rejection', () => {
    const more = [{ requests: 3, windowMs: 3_600_000 }]

    it('is not repeated for a key whose limits changed', async () => {
      const limiter = limiterOn(returning(rejection))
      await limiter.consume()
      limiter.redis = returning(admission)
      assert.equal((await limiter.limiter.consume('key:a', more)).allowed, true)
    })

    it('does not hold for a key whose limits changed while Redis is gone', async () => {
      const limiter = limiterOn(returning(rejection))
      await limiter.consume()
      limiter.redis = gone
      assert.equal((await limiter.consume()).allowed, false)
      assert.equal((await limiter.limiter.consume('key:a', more)).allowed, true)
    })

    it('holds for equal limits in another list', async () => {
      const limiter = limiterOn(returning(rejection))
      await limiter.consume()
      await limiter.limiter.consume('key:a', structuredClone(limits))
      assert.equal(limiter.sent.length, 1)
    })

    it('holds for a ban whatever the limits, and shows the limits of the request', async () => {
      const limiter = limiterOn(returning(ban))
      await limiter.consume()
      limiter.redis = gone
      const { banned, limit, remaining } = await limiter.limiter.consume('key:a', more)
      assert.deepEqual([banned, limit, remaining], [true, 3, 0])
    })
  })

  describe('the memory of a process', () => {
    it('has room for 10,000 rejected keys, whatever addresses do', async () => {
      const limiter = limiterOn(returning(rejection))
      const reject = async (kind: string, count: number) => {
        for (let i = 0; i < count; i++) await limiter.consume(`${kind}:${i}`)
        limiter.sent.length = 0
      }
      await reject('key', 10_000)
      await reject('address', 20_001)
      for (const key of ['key:0', 'key:9999']) await limiter.consume(key)
      assert.equal(limiter.sent.length, 0)
      await reject('key', 20_001)
      await limiter.consume('key:20000')
      assert.equal(limiter.sent.length, 0)
      await limiter.consume('key:0')
      assert.equal(limiter.sent.length, 1)
    })

    it('has room for the numbers of 10,000 keys', async () => {
      const limiter = limiterOn(returning(admission))
      const countCalls = async (first: number, last: number) => {
        limiter.sent.length = 0
        for (let i = first; i <= last; i++) await limiter.limiter.peek(`address:${i}`, limits)
        return limiter.sent.length
      }
      assert.deepEqual([await countCalls(0, 9_999), await countCalls(0, 9_999)], [10_000, 0])
      assert.deepEqual([await countCalls(10_000, 20_000), await countCalls(0, 0)], [10_001, 1])
    })
  })

  it('delays only the keys of a silent server of a cluster', async () => {
    const limiter = limiterOn(([, , , place]) => (place?.endsWith('2') ? silent() : returning(admission)()))
    for (let i = 0; i < 10; i++) {
      assert.equal((await limiter.consume('key:2')).allowed, i < 2)
      assert.equal((await limiter.consume(`key:${i}:1`)).reset, reset)
    }
    assert.equal(limiter.reports.length, 1)
  })

  it('names an invalid option', () => {
    for (const [option, ...values] of [
      ['client', undefined, { sendCommand() {} }],
      ['onUnavailable', 'fail'],
      ['timeoutMs', 0, Number.NaN, '100'],
      ['prefix', 5],
      ['prefx', 'x'],
      ['clock', 5],
      ['onFault', 'log'],
      ['ban', { rejections: 0.5 }],
    ] as const)
      for (const value of values)
        assert.throws(() => limiterOn(gone, { [option]: value }), {
          name: 'TypeError',
          message: new RegExp(`options\\.${option}`),
        })
    const create = createRedisLimiter as unknown as (options?: unknown) => unknown // as JavaScript may call it
    for (const options of [[], [undefined], [null], [{}]])
      assert.throws(() => create(...options), { message: /options\.client must be an object with send/ })
  })
})

import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createKeyStore, createPetService, LimiterUnavailableError } from '../../core/index.ts'
import { createCaseClock } from '../contracts/runner.ts'
import { createRedisLimiter, type RedisLimiterOptions } from './index.ts'

// The limiter's timers do not keep the process alive.
const keepAlive = setInterval(() => {}, 1_000)
after(() => clearInterval(keepAlive))

const limits = [{ requests: 2, windowMs: 3_600_000 }]
const reset = 1_800_003_601
const allowedReply = [1, 0, 2, 1, reset, 0]
const rejectedReply = [0, 0, 2, 0, reset, 60_000]
const bannedReply = [0, 1, 2, 0, reset, 900_000]

const respondWith = (value: unknown) => async () => value
const refuseConnection = () => Promise.reject(new Error('connect ECONNREFUSED'))
const hang = () => new Promise<never>(() => {})

/** Creates a limiter for a fake Redis. The result records calls and reports, and `redis` can be replaced. */
function createTestLimiter(
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
        return testLimiter.redis(args)
      },
    },
    clock: clock.now,
    timeoutMs: 10,
    onFault: (error) => reports.push(String(error)),
    onRecover: () => reports.push('recovered'),
    ...options,
  })
  const testLimiter = {
    redis,
    sent,
    reports,
    clock,
    limiter,
    consume: async (key = 'key:a') => limiter.consume(key, limits),
    peek: async () => limiter.peek('key:a', limits),
  }
  return testLimiter
}

function readCost([, , , , input = '']: readonly string[] = []): number {
  return JSON.parse(input).cost
}

/** Decisions for three requests while Redis is unavailable. The limit is two requests. */
const decisionsWithoutRedis = {
  local: [
    { allowed: true, remaining: 1 },
    { allowed: true, remaining: 0 },
    { allowed: false, remaining: 0 },
  ],
  open: Array(3).fill({ allowed: true, remaining: 2 }),
  closed: Array(3).fill('LimiterUnavailableError because of an Error'),
} as const

describe('createRedisLimiter', () => {
  for (const [failure, redis] of Object.entries({ unreachable: refuseConnection, silent: hang }))
    for (const failureMode of ['local', 'open', 'closed'] as const)
      it(`decides in ${failureMode} mode while Redis is ${failure}`, async () => {
        const { consume } = createTestLimiter(redis, { failureMode })
        const decide = async () => {
          try {
            const { allowed, remaining } = await consume()
            return { allowed, remaining }
          } catch (error) {
            assert.ok(error instanceof LimiterUnavailableError && error.cause instanceof Error)
            return 'LimiterUnavailableError because of an Error'
          }
        }
        assert.deepEqual([await decide(), await decide(), await decide()], decisionsWithoutRedis[failureMode])
      })

  it('makes no queued calls for a key after it is banned', async () => {
    const calls: ((value: unknown) => void)[] = []
    const limiter = createTestLimiter(() => new Promise((resolve) => calls.push(resolve)), {
      timeoutMs: 5000,
    })
    const burst = Array.from({ length: 1000 }, () => limiter.consume())
    const other = limiter.consume('key:b')
    await nextTurn()
    assert.equal(calls.length, 128)
    calls[0]?.(bannedReply)
    await Promise.all(burst.slice(128))
    await nextTurn()
    assert.equal(calls.length, 129)
    calls[128]?.(allowedReply)
    assert.equal((await other).allowed, true)
    for (const respond of calls) respond(bannedReply)
    await Promise.all(burst)
  })

  it('does not let client addresses delay keys', async () => {
    const limiter = createTestLimiter(hang, { timeoutMs: 50 })
    const burst = Array.from({ length: 1000 }, (_, i) => limiter.consume(`address:${i}`))
    limiter.redis = respondWith(allowedReply)
    assert.equal((await limiter.consume('key:a')).reset, reset)
    await Promise.all(burst)
  })

  for (const value of [null, 'OK', [], [1, 0, 2], [1, 0, 2, 'x', 5, 0]])
    it(`counts locally if the script returns ${JSON.stringify(value)}`, async () => {
      const limiter = createTestLimiter(respondWith(value))
      assert.equal((await limiter.consume()).remaining, 1)
      assert.match(limiter.reports.join(), /unexpected response from the Redis script: /)
    })

  it('calls Redis only once for a banned key', async () => {
    const limiter = createTestLimiter(respondWith(rejectedReply))
    for (let i = 0; i < 5; i++) await limiter.consume()
    assert.equal(limiter.sent.length, 5)
    limiter.redis = respondWith(bannedReply)
    for (let i = 0; i < 50; i++) assert.equal((await limiter.consume()).waitMs, 900_000)
    limiter.clock.advance(899_999)
    assert.deepEqual([(await limiter.consume()).waitMs, limiter.sent.length], [1, 6])
    limiter.clock.advance(1)
    limiter.redis = respondWith(allowedReply)
    assert.equal((await limiter.consume()).allowed, true)
  })

  it('reports an outage to onError in every service', async () => {
    const causes: string[] = []
    const limiter = createRedisLimiter({ client: { send: refuseConnection }, timeoutMs: 10 })
    for (const name of ['one', 'two']) {
      const onError = (cause: unknown) => causes.push(`${name}: ${cause}`)
      createPetService({ keys: createKeyStore([]), limiter, onError })
    }
    for (let i = 0; i < 3; i++) await limiter.consume('key:a', limits)
    assert.deepEqual(causes, ['one: Error: connect ECONNREFUSED', 'two: Error: connect ECONNREFUSED'])
  })

  it('reports a new cause during an outage', async () => {
    const limiter = createTestLimiter(refuseConnection)
    for (let i = 0; i < 4; i++) await limiter.consume()
    limiter.redis = () => Promise.reject(new Error('WRONGPASS'))
    for (let i = 0; i < 3; i++) await limiter.consume()
    assert.deepEqual(limiter.reports, ['Error: connect ECONNREFUSED', 'Error: WRONGPASS'])
  })

  it('caches a peeked decision for one second', async () => {
    const limiter = createTestLimiter(respondWith(allowedReply))
    const all = await Promise.all(Array.from({ length: 100 }, limiter.peek))
    assert.ok(all.every(({ remaining }) => remaining === 1))
    limiter.redis = respondWith([1, 0, 2, 0, reset, 0])
    await limiter.consume()
    limiter.redis = respondWith(rejectedReply)
    await limiter.consume()
    limiter.clock.advance(999)
    const expected = { allowed: true, banned: false, limit: 2, remaining: 0, reset, waitMs: 0 }
    assert.deepEqual(await limiter.peek(), expected)
    limiter.redis = respondWith(allowedReply)
    limiter.clock.advance(1)
    assert.equal((await limiter.peek()).remaining, 1)
    assert.deepEqual(limiter.sent.map(readCost), [0, 1, 1, 0])
  })

  it('does not cache a failed peek', async () => {
    const limiter = createTestLimiter(refuseConnection, { failureMode: 'closed' })
    await assert.rejects(limiter.peek())
    limiter.redis = respondWith(allowedReply)
    assert.equal((await limiter.peek()).remaining, 1)
  })

  it('hashes client addresses, and IPv6 networks as a whole', async () => {
    const limiter = createTestLimiter(respondWith(allowedReply))
    const collectKeys = async (key: (i: number) => string) => {
      limiter.sent.length = 0
      for (let i = 0; i < 100; i++) await limiter.consume(`address:${key(1000 + i)}`)
      return new Set(limiter.sent.map((args) => args[3]))
    }
    assert.equal((await collectKeys((i) => `20010db80001${i}::/64`)).size, 1)
    const others = await collectKeys((i) => `20010db8${i}0000::/64`)
    assert.ok(others.size > 95)
    for (const place of others) assert.match(place ?? '', /^pet-adoption:address:[\da-f]{4}$/)
  })

  it('applies a cached ban to all limits during an outage', async () => {
    const limiter = createTestLimiter(respondWith(bannedReply))
    await limiter.consume()
    limiter.redis = refuseConnection
    for (let i = 0; i < 10; i++) {
      limiter.clock.advance(60_000)
      assert.equal((await limiter.consume()).banned, true)
    }
    const threePerHour = [{ requests: 3, windowMs: 3_600_000 }]
    const { banned, limit, remaining } = await limiter.limiter.consume('key:a', threePerHour)
    assert.deepEqual([banned, limit, remaining], [true, 3, 0])
    limiter.clock.advance(300_000)
    assert.equal((await limiter.consume()).allowed, true)
  })

  describe('the decision cache', () => {
    it('keeps 10,000 bans of client addresses, which evict no bans of keys', async () => {
      const limiter = createTestLimiter(respondWith(bannedReply))
      await limiter.consume('key:0')
      for (let i = 0; i <= 20_000; i++) await limiter.consume(`address:${i}`)
      limiter.sent.length = 0
      for (const key of ['key:0', 'address:10001', 'address:20000']) await limiter.consume(key)
      assert.equal(limiter.sent.length, 0)
      await limiter.consume('address:0')
      assert.equal(limiter.sent.length, 1)
    })

    it('keeps 10,000 peeked decisions', async () => {
      const limiter = createTestLimiter(respondWith(allowedReply))
      const countCalls = async (first: number, last: number) => {
        limiter.sent.length = 0
        for (let i = first; i <= last; i++) await limiter.limiter.peek(`address:${i}`, limits)
        return limiter.sent.length
      }
      assert.deepEqual([await countCalls(0, 9_999), await countCalls(0, 9_999)], [10_000, 0])
      assert.deepEqual([await countCalls(10_000, 20_000), await countCalls(0, 0)], [10_001, 1])
    })
  })

  it('waits only for keys on a silent cluster server', async () => {
    const limiter = createTestLimiter(([, , , place]) =>
      place?.endsWith('2') ? hang() : respondWith(allowedReply)(),
    )
    for (let i = 0; i < 10; i++) {
      assert.equal((await limiter.consume('key:2')).allowed, i < 2)
      assert.equal((await limiter.consume(`key:${i}:1`)).reset, reset)
    }
    assert.equal(limiter.reports.length, 1)
  })

  it('rejects invalid options', () => {
    for (const [option, ...values] of [
      ['client', undefined, { sendCommand() {} }],
      ['failureMode', 'fail'],
      ['timeoutMs', 0, Number.NaN, '100'],
      ['prefix', 5],
      ['prefx', 'x'],
      ['clock', 5],
      ['onFault', 'log'],
      ['ban', { rejections: 0.5 }],
    ] as const)
      for (const value of values)
        assert.throws(() => createTestLimiter(refuseConnection, { [option]: value }), {
          name: 'TypeError',
          message: new RegExp(`options\\.${option}`),
        })
    const create = createRedisLimiter as unknown as (options?: unknown) => unknown // called as from JavaScript, without types
    for (const options of [[], [undefined], [null], [{}]])
      assert.throws(() => create(...options), { message: /options\.client must be an object with send/ })
  })
})

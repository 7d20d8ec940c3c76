import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, test } from 'node:test'
import { setImmediate as nextTurn, setTimeout } from 'node:timers/promises'
import {
  createKeyStore,
  createPetService,
  type Decision,
  LimiterUnavailable,
  type RateLimiter,
} from '../../core/index.ts'
import { type CaseClock, createCaseClock } from '../contracts/case-clock.ts'
import { createRedisLimiter, type RedisLimiterOptions } from '../redis.ts'

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

interface Scripted {
  /** What Redis does with a command. Tests set it. */
  redis: (args: readonly string[]) => Promise<unknown>
  readonly sent: (readonly string[])[]
  /** The reports of the limiter. */
  readonly reports: string[]
  readonly clock: CaseClock
  readonly limiter: RateLimiter
  consume(key?: string): Promise<Decision>
  peek(): Promise<Decision>
}

function limiterOn(redis: Scripted['redis'], options: Partial<RedisLimiterOptions> = {}): Scripted {
  const clock = createCaseClock()
  const limiter = createRedisLimiter({
    client: {
      send(args) {
        scripted.sent.push(args)
        return scripted.redis(args)
      },
    },
    clock: clock.now,
    timeoutMs: 10,
    onFault: (error) => scripted.reports.push(String(error)),
    onRecover: () => scripted.reports.push('recovered'),
    ...options,
  })
  const scripted: Scripted = {
    redis,
    sent: [],
    reports: [],
    clock,
    limiter,
    consume: async (key = 'key:a') => limiter.consume(key, limits),
    peek: async () => limiter.peek('key:a', limits),
  }
  return scripted
}

/** Reads the cost and the earlier rejections from a call of the script. */
function inputOf([, , , , , , cost, count, agoMs]: readonly string[] = []): object {
  return { cost, count, agoMs }
}

for (const [failure, redis] of Object.entries({ gone, silent })) {
  test(`while Redis is ${failure}, a local limiter counts in this process, and bans`, async () => {
    const { consume, clock } = limiterOn(redis, { onUnavailable: 'local' })
    const remaining = [(await consume()).remaining, (await consume()).remaining]
    assert.deepEqual(remaining, [1, 0])
    assert.deepEqual((await consume()).allowed, false)
    clock.advance(1000)
    for (let i = 0; i < 98; i++) assert.equal((await consume()).banned, false)
    assert.equal((await consume()).banned, true)
    assert.equal((await consume('key:b')).allowed, true)
  })

  test(`while Redis is ${failure}, an open limiter admits all, with the numbers of a limit that is not counted`, async () => {
    const { consume, clock } = limiterOn(redis, { onUnavailable: 'open' })
    for (let i = 0; i < 10; i++)
      assert.deepEqual(await consume(), {
        allowed: true,
        banned: false,
        limit: 2,
        remaining: 2,
        reset: Math.ceil(clock.now() / 1000),
        waitMs: 0,
      })
  })

  test(`while Redis is ${failure}, a closed limiter is unavailable`, async () => {
    const { consume } = limiterOn(redis, { onUnavailable: 'closed' })
    for (let i = 0; i < 10; i++)
      await assert.rejects(
        consume(),
        (error: Error) => error instanceof LimiterUnavailable && error.cause instanceof Error,
      )
  })

  test(`a Redis that is ${failure} is left alone after five failures, and is used again`, async () => {
    const limiter = limiterOn(redis)
    for (let i = 0; i < 20; i++) await limiter.consume(`key:${i}`)
    assert.ok(limiter.sent.length <= 6, `${limiter.sent.length} calls`)
    assert.equal(limiter.reports.length, 1)
    limiter.redis = returning(admission)
    limiter.clock.advance(1000)
    while ((await limiter.consume('key:b')).reset !== reset) await setTimeout(20)
    assert.equal((await limiter.consume('key:b')).reset, reset)
    assert.deepEqual(limiter.reports.slice(1), ['recovered'])
  })
}

test('the rest of a burst is rejected here once Redis has rejected one request of it', async () => {
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

test('no key waits behind addresses', async () => {
  const limiter = limiterOn(silent, { timeoutMs: 50 })
  const burst = Array.from({ length: 1000 }, (_, i) => limiter.consume(`address:${i}`))
  limiter.redis = returning(admission)
  assert.equal((await limiter.consume('key:a')).reset, reset)
  await Promise.all(burst)
})

for (const value of [null, 'OK', [], [1, 0, 2], [1, 0, 2, 'x', 5, 0, 0]])
  test(`a result of another kind, ${JSON.stringify(value)}, is a failure`, async () => {
    const limiter = limiterOn(returning(value))
    assert.equal((await limiter.consume()).remaining, 1)
    assert.match(limiter.reports.join(), /Redis returned .* from the script/)
  })

test('a Redis that does not know the script is sent its text', async () => {
  const limiter = limiterOn(async ([command]) => {
    if (command === 'EVALSHA') throw new Error('NOSCRIPT No matching script. Please use EVAL.')
    return admission
  })
  assert.equal((await limiter.consume()).reset, reset)
  const [first, second] = limiter.sent
  assert.equal(first?.[0], 'EVALSHA')
  assert.equal(second?.[0], 'EVAL')
  assert.equal(
    first?.[1],
    createHash('sha1')
      .update(second?.[1] ?? '')
      .digest('hex'),
  )
  assert.deepEqual(first?.slice(2), second?.slice(2))
  assert.deepEqual(limiter.reports, [])
})

test('a rejection is repeated without Redis while its wait decreases, and handed on after a second', async () => {
  const limiter = limiterOn(returning(rejection))
  await limiter.consume()
  for (const waitMs of [59_900, 59_800, 59_700]) {
    limiter.clock.advance(100)
    const expected = { allowed: false, banned: false, limit: 2, remaining: 0, reset, waitMs }
    assert.deepEqual(await limiter.consume(), expected)
  }
  assert.equal(limiter.sent.length, 1)
  limiter.clock.advance(700)
  await limiter.consume()
  assert.deepEqual(inputOf(limiter.sent[1]), { cost: '1', count: '3', agoMs: '700' })
})

test('a rejection is not repeated once its wait is over', async () => {
  const limiter = limiterOn(returning([0, 0, 2, 0, reset, 50, 100, 0]))
  await limiter.consume()
  limiter.clock.advance(49)
  assert.equal((await limiter.consume()).waitMs, 1)
  limiter.redis = returning(admission)
  limiter.clock.advance(1)
  assert.equal((await limiter.consume()).allowed, true)
})

for (const [rejectionsToBan, passed] of [
  [100, 1000],
  [1, 0],
] as const)
  test(`only one of many requests calls Redis ${passed ? 'again' : 'for the rejection that may begin a ban'}`, async () => {
    const limiter = limiterOn(returning([...rejection.slice(0, 6), rejectionsToBan]))
    await limiter.consume()
    limiter.clock.advance(passed)
    await Promise.all(Array.from({ length: 50 }, () => limiter.consume()))
    assert.equal(limiter.sent.length, 2)
  })

test('Redis is called for the rejection that may begin a ban, and not for those during it', async () => {
  const limiter = limiterOn(returning(rejection))
  await limiter.consume()
  for (let i = 0; i < 99; i++) await limiter.consume()
  assert.equal(limiter.sent.length, 1)
  limiter.redis = returning(ban)
  assert.equal((await limiter.consume()).banned, true)
  assert.deepEqual(inputOf(limiter.sent[1]), { cost: '1', count: '99', agoMs: '0' })
  for (let i = 0; i < 200; i++) assert.equal((await limiter.consume()).banned, true)
  assert.equal(limiter.sent.length, 2)
})

test('rejections that do not count are repeated without Redis, and handed on as such', async () => {
  const limiter = limiterOn(returning([...rejection.slice(0, 6), 2, 400]))
  await limiter.consume()
  for (let i = 0; i < 100; i++) await limiter.consume()
  limiter.clock.advance(399)
  for (let i = 0; i < 100; i++) await limiter.consume()
  assert.equal(limiter.sent.length, 1)
  limiter.clock.advance(1)
  await limiter.consume()
  assert.equal(limiter.sent.length, 1)
  limiter.clock.advance(100)
  await limiter.consume()
  assert.deepEqual(inputOf(limiter.sent[1]), { cost: '1', count: '1', agoMs: '100' })

  limiter.redis = returning([...rejection.slice(0, 6), 2, 5000])
  limiter.clock.advance(1000)
  await limiter.consume()
  limiter.clock.advance(900)
  await limiter.consume()
  limiter.clock.advance(200)
  await limiter.consume()
  assert.deepEqual(inputOf(limiter.sent[3]), { cost: '1', count: '0', agoMs: '200' })
})

test('without onFault, every service that uses the limiter hears once that Redis fails', async () => {
  const causes: string[] = []
  const keys = createKeyStore([])
  const limiter = createRedisLimiter({ client: { send: gone }, timeoutMs: 10 })
  const services = ['one', 'two'].map((name) =>
    createPetService({ keys, limiter, onError: (cause) => causes.push(`${name}: ${cause}`) }),
  )
  for (const { handle } of [...services, ...services])
    await handle({
      method: 'GET',
      target: '/v1/pets',
      httpVersion: '1.1',
      client: '192.0.2.1',
      header: () => undefined,
      body: async () => new Uint8Array(),
    })
  assert.deepEqual(
    causes,
    ['one', 'two'].map((name) => `${name}: Error: connect ECONNREFUSED`),
  )
})

test('with onFault, the service does not hear of it', async () => {
  const { limiter, consume } = limiterOn(gone)
  limiter.onFailure?.((cause) => assert.fail(String(cause)))
  assert.equal((await consume()).allowed, true)
})

test('a peek calls Redis, and hands nothing on', async () => {
  const limiter = limiterOn(returning(rejection))
  await limiter.consume()
  await limiter.consume()
  limiter.redis = returning(admission)
  assert.equal((await limiter.peek()).allowed, true)
  assert.equal((await limiter.consume()).allowed, false)
  assert.equal(limiter.sent.length, 2)
  assert.deepEqual(inputOf(limiter.sent[1]), { cost: '0', count: '0', agoMs: '' })
})

test('peeks of a key cost one call a second, also those that come together, and show what was charged here since', async () => {
  const limiter = limiterOn(returning(admission))
  const all = await Promise.all(Array.from({ length: 100 }, limiter.peek))
  assert.ok(all.every(({ remaining }) => remaining === 1))
  assert.equal(limiter.sent.length, 1)
  limiter.redis = returning(rejection)
  await limiter.consume()
  limiter.clock.advance(999)
  const expected = { allowed: true, banned: false, limit: 2, remaining: 0, reset, waitMs: 0 }
  assert.deepEqual(await limiter.peek(), expected)
  assert.equal(limiter.sent.length, 2)
  limiter.clock.advance(1000)
  limiter.redis = returning(admission)
  assert.equal((await limiter.peek()).remaining, 1)
  assert.equal(limiter.sent.length, 3)
})

test('a peek that fails is not remembered', async () => {
  const limiter = limiterOn(gone, { onUnavailable: 'closed' })
  await assert.rejects(limiter.peek())
  limiter.redis = returning(admission)
  assert.equal((await limiter.peek()).remaining, 1)
})

test('all /64 of one IPv6 /48 share a string in Redis, other addresses rarely do, and there are 65,536', async () => {
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

test('a known rejection holds while Redis is gone', async () => {
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

test('a clock that steps back makes no rejection last longer', async () => {
  const limiter = limiterOn(returning(rejection))
  await limiter.consume()
  limiter.clock.advance(-3_600_000)
  limiter.redis = returning(admission)
  assert.equal((await limiter.consume()).allowed, true)
})

test('ten thousand rejected keys are remembered; the oldest makes room for another, and none for an address', async () => {
  const limiter = limiterOn(returning(rejection))
  for (let i = 0; i <= 10_000; i++) await limiter.consume(`key:${i}`)
  for (let i = 0; i <= 10_000; i++) await limiter.consume(`address:${i}`)
  limiter.sent.length = 0
  await limiter.consume('key:10000')
  await limiter.consume('key:1')
  assert.equal(limiter.sent.length, 0)
  await limiter.consume('key:0')
  assert.equal(limiter.sent.length, 1)
})

test('a server of a cluster that is silent makes nobody wait longer, and counts as a failure', async () => {
  const limiter = limiterOn(([, , , place]) => (place?.endsWith('2') ? silent() : returning(admission)()))
  for (let i = 0; i < 10; i++) {
    assert.equal((await limiter.consume('key:2')).allowed, i < 2)
    assert.equal((await limiter.consume(`key:${i}:1`)).reset, reset)
  }
  assert.equal(limiter.reports.length, 1)
})

const invalid: readonly (readonly [option: string, options: object])[] = [
  ['client', { client: undefined }],
  ['client', { client: { sendCommand() {} } }],
  ['onUnavailable', { onUnavailable: 'fail' }],
  ['timeoutMs', { timeoutMs: 0 }],
  ['timeoutMs', { timeoutMs: Number.NaN }],
  ['timeoutMs', { timeoutMs: '100' }],
  ['prefix', { prefix: 5 }],
  ['prefx', { prefx: 'x' }],
  ['clock', { clock: 5 }],
  ['onFault', { onFault: 'log' }],
  ['ban', { ban: { refusals: 0.5 } }],
]

test('an invalid option is named, and the client where there are no options', () => {
  for (const [option, options] of invalid)
    assert.throws(
      () => limiterOn(gone, options),
      { name: 'TypeError', message: new RegExp(`options\\.${option}`) },
      JSON.stringify(options),
    )
  const create = createRedisLimiter as unknown as (options?: unknown) => unknown // as JavaScript may call it
  for (const options of [[], [undefined], [null], [{}]])
    assert.throws(() => create(...options), { message: /options\.client must be an object with send/ })
})

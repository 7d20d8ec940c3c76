import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Decision, LimiterUnavailable } from '../../core/index.ts'
import { type CaseClock, createCaseClock } from '../contracts/rate-limiter/cases.ts'
import { createRedisLimiter, type RedisLimiterOptions } from '../redis.ts'

const limits = [{ requests: 2, windowMs: 3_600_000 }]
const reset = 1_800_003_601
const admission = [1, 0, 2, 1, reset, 0, 0]
const refusal = [0, 0, 2, 0, reset, 60_000, 100]
const ban = [0, 1, 2, 0, reset, 900_000, 0]

const answers = (reply: unknown) => async () => reply
const gone = () => Promise.reject(new Error('connect ECONNREFUSED'))
const silent = () => new Promise<never>(() => {})

interface Scripted {
  /** What Redis does with a command; to be set. */
  redis: (args: readonly string[]) => Promise<unknown>
  readonly sent: (readonly string[])[]
  /** What the limiter has reported. */
  readonly reports: string[]
  readonly clock: CaseClock
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
    onRecover: () => scripted.reports.push('healed'),
    ...options,
  })
  const scripted: Scripted = {
    redis,
    sent: [],
    reports: [],
    clock,
    consume: async (key = 'key:a') => limiter.consume(key, limits),
    peek: async () => limiter.peek('key:a', limits),
  }
  return scripted
}

/** What is asked, after the command, the script, the key, the limits and the policy. */
function question([, , , , , , cost, refusedBefore, agoMs]: readonly string[] = []): object {
  return { cost, refusedBefore, agoMs }
}

for (const [fault, redis] of Object.entries({ gone, silent })) {
  test(`while Redis is ${fault}, a local limiter counts in this process, and bans`, async () => {
    const { consume } = limiterOn(redis)
    const remaining = [(await consume()).remaining, (await consume()).remaining]
    assert.deepEqual(remaining, [1, 0])
    assert.deepEqual((await consume()).allowed, false)
    for (let i = 0; i < 98; i++) assert.equal((await consume()).banned, false)
    assert.equal((await consume()).banned, true)
    assert.equal((await consume('key:b')).allowed, true)
  })

  test(`while Redis is ${fault}, an open limiter admits all, with the numbers of a limit that is not counted`, async () => {
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

  test(`while Redis is ${fault}, a closed limiter is unavailable`, async () => {
    const { consume } = limiterOn(redis, { onUnavailable: 'closed' })
    for (let i = 0; i < 10; i++)
      await assert.rejects(
        consume(),
        (error: Error) => error instanceof LimiterUnavailable && error.cause instanceof Error,
      )
  })

  test(`a Redis that is ${fault} is left alone after three failures, but for one call a second, and used again`, async () => {
    const limiter = limiterOn(redis)
    for (let i = 0; i < 20; i++) await limiter.consume()
    assert.equal(limiter.sent.length, 3)
    limiter.clock.advance(999)
    await limiter.consume()
    assert.equal(limiter.sent.length, 3)
    limiter.clock.advance(1)
    await Promise.all([limiter.consume(), limiter.consume()])
    assert.equal(limiter.sent.length, 4)

    limiter.redis = answers(admission)
    limiter.clock.advance(1000)
    await limiter.consume()
    await nextTurn()
    limiter.sent.length = 0
    assert.equal((await limiter.consume()).reset, reset)
    assert.equal(limiter.sent.length, 1)
    assert.equal(limiter.reports.length, 2)
    assert.equal(limiter.reports[1], 'healed')
  })
}

test('a Redis that fails now and then is asked each time', async () => {
  const limiter = limiterOn(gone)
  for (let i = 0; i < 10; i++) {
    limiter.redis = i % 3 === 0 ? answers(admission) : gone
    await limiter.consume()
  }
  assert.equal(limiter.sent.length, 10)
})

test('calls that fail together are one failure', async () => {
  const limiter = limiterOn(gone)
  for (const failures of [1, 2, 3]) {
    await Promise.all(Array.from({ length: 20 }, (_, i) => limiter.consume(`key:${i}`)))
    assert.equal(limiter.sent.length, 20 * failures)
  }
  await limiter.consume()
  assert.equal(limiter.sent.length, 60)
  assert.equal(limiter.reports.length, 1)
})

test('a process that stands still again and again reads what Redis has sent it', async () => {
  const limiter = limiterOn(async () => {
    for (let pause = 0; pause < 5; pause++) {
      await nextTurn()
      const end = performance.now() + 15
      while (performance.now() < end);
    }
    return admission
  })
  assert.equal((await limiter.consume()).reset, reset)
  assert.deepEqual(limiter.reports, [])
})

test('the rest of a burst is rejected here once Redis has rejected one request of it', async () => {
  const calls: ((reply: unknown) => void)[] = []
  const limiter = limiterOn(() => new Promise((resolve) => calls.push(resolve)), { timeoutMs: 5000 })
  const burst = Array.from({ length: 1000 }, () => limiter.consume())
  const other = limiter.consume('key:b')
  assert.equal(calls.length, 128)
  calls[0]?.([...refusal.slice(0, 6), 0])
  await Promise.all(burst.slice(128))
  assert.equal(calls.length, 129)
  calls[128]?.(admission)
  assert.equal((await other).allowed, true)
  for (const answer of calls) answer(refusal)
  await Promise.all(burst)
})

test('no key waits behind addresses', async () => {
  const limiter = limiterOn(silent, { timeoutMs: 50 })
  const burst = Array.from({ length: 1000 }, (_, i) => limiter.consume(`address:${i}`))
  limiter.redis = answers(admission)
  assert.equal((await limiter.consume('key:a')).reset, reset)
  await Promise.all(burst)
})

test('requests that wait for their call are decided without Redis once it is given up', async () => {
  const limiter = limiterOn(silent)
  const burst = await Promise.all(Array.from({ length: 1000 }, (_, i) => limiter.consume(`key:${i}`)))
  assert.equal(burst.filter(({ allowed }) => allowed).length, 1000)
  assert.ok(limiter.sent.length <= 3 * 128, `${limiter.sent.length} calls`)
})

test('an answer that came in time counts, even if this process was too busy to read it', async () => {
  const limiter = limiterOn(() => nextTurn(admission))
  const decision = limiter.consume()
  const end = performance.now() + 30
  while (performance.now() < end);
  assert.equal((await decision).reset, reset)
  assert.deepEqual(limiter.reports, [])
})

test('an answer that comes too late, and a failure after that, do no harm', async () => {
  let answer = (_: unknown) => {}
  let fail = (_: unknown) => {}
  const limiter = limiterOn(
    () =>
      new Promise((resolve, reject) => {
        answer = resolve
        fail = reject
      }),
  )
  assert.equal((await limiter.consume()).remaining, 1)
  answer(refusal)
  assert.equal((await limiter.consume()).remaining, 0)
  fail(new Error('late'))
  await nextTurn()
  assert.match(limiter.reports.join(), /has not answered within 10 ms/)
})

for (const reply of [null, 'OK', [], [1, 0, 2], [1, 0, 2, 'x', 5, 0, 0]])
  test(`an answer of another kind, ${JSON.stringify(reply)}, is a failure`, async () => {
    const limiter = limiterOn(answers(reply))
    assert.equal((await limiter.consume()).remaining, 1)
    assert.match(limiter.reports.join(), /Redis answered .* to the script/)
  })

test('a Redis that does not know the script is sent it', async () => {
  const limiter = limiterOn(async ([command]) => {
    if (command === 'EVALSHA') throw new Error('NOSCRIPT No matching script. Please use EVAL.')
    return admission
  })
  assert.equal((await limiter.consume()).reset, reset)
  const [first, second] = limiter.sent
  assert.equal(first?.[0], 'EVALSHA')
  assert.equal(second?.[0], 'EVAL')
  assert.deepEqual(first?.slice(2), second?.slice(2))
  assert.deepEqual(limiter.reports, [])
})

test('a refusal is repeated without Redis, its wait going down, and handed on after a second', async () => {
  const limiter = limiterOn(answers(refusal))
  await limiter.consume()
  for (const waitMs of [59_900, 59_800, 59_700]) {
    limiter.clock.advance(100)
    assert.deepEqual(await limiter.consume(), {
      allowed: false,
      banned: false,
      limit: 2,
      remaining: 0,
      reset,
      waitMs,
    })
  }
  assert.equal(limiter.sent.length, 1)
  limiter.clock.advance(700)
  await limiter.consume()
  assert.deepEqual(question(limiter.sent[1]), { cost: '1', refusedBefore: '3', agoMs: '700' })
})

test('a refusal is not repeated once its wait is over', async () => {
  const limiter = limiterOn(answers([0, 0, 2, 0, reset, 50, 100]))
  await limiter.consume()
  limiter.clock.advance(49)
  assert.equal((await limiter.consume()).waitMs, 1)
  limiter.redis = answers(admission)
  limiter.clock.advance(1)
  assert.equal((await limiter.consume()).allowed, true)
})

test('only one of many requests asks again, while the others are refused', async () => {
  const limiter = limiterOn(answers(refusal))
  await limiter.consume()
  limiter.clock.advance(1000)
  await Promise.all(Array.from({ length: 50 }, () => limiter.consume()))
  assert.equal(limiter.sent.length, 2)
})

test('only one of many requests asks whether it starts a ban', async () => {
  const limiter = limiterOn(answers([...refusal.slice(0, 6), 1]))
  await limiter.consume()
  await Promise.all(Array.from({ length: 50 }, () => limiter.consume()))
  assert.equal(limiter.sent.length, 2)
})

test('Redis is asked for the refusal that may start a ban, and not for those during it', async () => {
  const limiter = limiterOn(answers(refusal))
  await limiter.consume()
  for (let i = 0; i < 99; i++) await limiter.consume()
  assert.equal(limiter.sent.length, 1)
  limiter.redis = answers(ban)
  assert.equal((await limiter.consume()).banned, true)
  assert.deepEqual(question(limiter.sent[1]), { cost: '1', refusedBefore: '99', agoMs: '0' })
  for (let i = 0; i < 200; i++) assert.equal((await limiter.consume()).banned, true)
  assert.equal(limiter.sent.length, 2)
})

test('a request that only looks is answered by Redis, and hands nothing on', async () => {
  const limiter = limiterOn(answers(refusal))
  await limiter.consume()
  await limiter.consume()
  limiter.redis = answers(admission)
  assert.equal((await limiter.peek()).allowed, true)
  assert.equal((await limiter.consume()).allowed, false)
  assert.equal(limiter.sent.length, 2)
  assert.deepEqual(question(limiter.sent[1]), { cost: '0', refusedBefore: '0', agoMs: '0' })
})

test('a refusal that is known holds while Redis is gone', async () => {
  const limiter = limiterOn(answers(ban))
  await limiter.consume()
  limiter.redis = gone
  for (let i = 0; i < 10; i++) {
    limiter.clock.advance(60_000)
    assert.equal((await limiter.consume()).banned, true)
  }
  limiter.clock.advance(300_000)
  assert.equal((await limiter.consume()).allowed, true)
})

test('a clock that steps back makes no refusal last longer', async () => {
  const limiter = limiterOn(answers(refusal))
  await limiter.consume()
  limiter.clock.advance(-3_600_000)
  limiter.redis = answers(admission)
  assert.equal((await limiter.consume()).allowed, true)
})

test('no more than ten thousand refused keys are remembered, the oldest the shortest', async () => {
  const limiter = limiterOn(answers(refusal))
  for (let i = 0; i <= 10_000; i++) await limiter.consume(`key:${i}`)
  limiter.sent.length = 0
  await limiter.consume('key:10000')
  await limiter.consume('key:1')
  assert.equal(limiter.sent.length, 0)
  await limiter.consume('key:0')
  assert.equal(limiter.sent.length, 1)
})

test('addresses that are rejected make the limiter forget no key', async () => {
  const limiter = limiterOn(answers(refusal))
  await limiter.consume('key:a')
  for (let i = 0; i <= 10_000; i++) await limiter.consume(`address:${i}`)
  limiter.sent.length = 0
  await limiter.consume('key:a')
  assert.equal(limiter.sent.length, 0)
})

const unusable: readonly { option: string; options: object }[] = [
  { option: 'client', options: { client: undefined } },
  { option: 'client', options: { client: { sendCommand() {} } } },
  { option: 'onUnavailable', options: { onUnavailable: 'fail' } },
  { option: 'timeoutMs', options: { timeoutMs: 0 } },
  { option: 'timeoutMs', options: { timeoutMs: Number.NaN } },
  { option: 'maxAddresses', options: { maxAddresses: -1 } },
  { option: 'maxAddresses', options: { maxAddresses: 1.5 } },
  { option: 'ban', options: { ban: { refusals: 0.5 } } },
]

for (const { option, options } of unusable)
  test(`an unusable option is named: ${JSON.stringify(options)}`, () => {
    assert.throws(() => limiterOn(gone, options), {
      name: 'TypeError',
      message: new RegExp(`options\\.${option}`),
    })
  })

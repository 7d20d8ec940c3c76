import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { createKeyStore, createMemoryLimiter, createPetService, sha256 } from '../../core/index.ts'
import { createFetchHandler } from '../fetch/index.ts'
import { createPetClient, PetApiError, type PetClientOptions } from './index.ts'
import { FakeTime } from './testing/fake-time.ts'
import {
  after,
  apiKey,
  baseUrl,
  cut,
  error,
  hangs,
  json,
  newRex,
  scripted,
  settled,
  type Turn,
} from './testing/scripted.ts'

const rejected = (retryAfter: string) => error(429, { 'Retry-After': retryAfter }, 'rate_limit_exceeded')
/** A success with the number of requests that remain. */
const ok = (remaining: number, headers: Readonly<Record<string, string>> = {}) =>
  json(200, '[]', { 'X-RateLimit-Remaining': String(remaining), ...headers })
/** A success that leaves no request until a time in seconds. */
const resetIn =
  (seconds: number): Turn =>
  (request, time) =>
    ok(0, { 'X-RateLimit-Reset': String(Math.ceil(time.clock() / 1_000) + seconds) })(request, time)

/** Rounds times down: a call in the queue notices a free place within 50 ms. */
const rounded = (times: readonly number[]) => times.map((at) => at - (at % 50))

/** A turn that takes a moment, so that the times of requests show which of them leave together. */
const slow = (turn: Turn) => after(100, turn)

describe('after a 429', () => {
  it('all calls wait, then one is sent, then as many as remain', async () => {
    const run = scripted([rejected('10'), ok(2), json(200, '[]', {})])
    const first = run.list()
    await settled()
    await run.time.run(Promise.all([first, run.lists(4)]))
    assert.deepEqual(run.times(), [0, 10_500, 10_500, 10_500, 10_500, 10_500])
    // The hook runs for each call, also for calls that wait for the 429 of another.
    const told = run.waits.map(({ attempt, waitMs, status }) => `${attempt} ${waitMs} ${status}`)
    assert.deepEqual(told, new Array(5).fill('1 10500 429'))
  })

  it('one request at a time is sent until a response shows that more may', async () => {
    const gateway: Turn = () => new Response('', { status: 502 })
    const turns = [rejected('1'), ...[ok(0), gateway, ok(1), ok(3), ok(9)].map(slow)]
    const run = scripted(turns, { maxRetries: 0 })
    await run.time.run(run.list())
    await run.time.run(Promise.allSettled(Array.from({ length: 8 }, run.list)))
    assert.deepEqual(rounded(run.times()), [0, 1_050, 1_150, 1_250, 1_350, 1_450, 1_450, 1_450, 1_550, 1_550])
  })

  it('a success without limit headers opens the gate, an error does not', async () => {
    const run = scripted([rejected('1'), ...[error(404), error(404), json(200, '[]')].map(slow)])
    await assert.rejects(run.time.run(run.list()))
    await run.time.run(Promise.allSettled(Array.from({ length: 5 }, run.list)))
    assert.deepEqual(rounded(run.times()), [0, 1_050, 1_150, 1_250, 1_350, 1_350, 1_350])
  })

  it('a response to an earlier request does not open it', async () => {
    const run = scripted([after(5_000, ok(40)), rejected('10'), slow(ok(1))])
    const first = run.lists(2)
    await settled()
    await run.time.run(Promise.all([first, run.lists(2)]))
    assert.deepEqual(run.times(), [0, 0, 10_500, 10_600, 10_700])
  })

  it('time in the queue counts as a wait', async () => {
    const run = scripted([rejected('1'), after(6_000, ok(0)), rejected('4'), ok(9)], { maxWaitMs: 10_000 })
    const first = run.list()
    await settled()
    const [one, other] = await run.time.run(Promise.allSettled([first, run.list()]))
    assert.deepEqual([one.status, other.status], ['fulfilled', 'rejected'])
  })

  it('requests are held until Reset when none remains', async () => {
    const run = scripted([rejected('1'), resetIn(30), ok(5)])
    await run.time.run(run.list().then(() => run.lists(2)))
    assert.deepEqual(run.times(), [0, 1_050, 32_000, 32_000])
  })

  it('waits for Retry-After plus up to 10 % or 5 s', async () => {
    const date = 'Fri, 20 Nov 2026 12:00:30 GMT' // 30 s behind the clock of the test
    const cases: readonly (readonly [retryAfter: string, date: string, waits: readonly number[]])[] = [
      ['7', '', [7_000, 7_350, 7_700]],
      ['120', '', [120_000]],
      ['9'.repeat(20), '', []],
      ['9'.repeat(400), '', []],
      ['Fri, 20 Nov 2026 12:01:00 GMT', '', [60_000, 62_500, 65_000]],
      ['Fri, 20 Nov 2026 12:01:00 GMT', date, [30_000, 31_500, 33_000]],
      ['Friday, 20-Nov-26 12:01:00 GMT', date, [30_000, 31_500, 33_000]],
      ['Fri Nov 20 12:01:00 2026', date, [30_000, 31_500, 33_000]],
      ['Tue Dec  1 12:00:00 2026', 'Tue, 01 Dec 2026 11:59:30 GMT', [30_000, 31_500, 33_000]],
      ...['0', '-5', '1.5', 'soon', 'in 2030 GMT', '5, 5', 'Fri, 20 Nov 2026 11:00:00 GMT', ''].map(
        (other) => [other, '', [1, 500, 1_000]] as const,
      ),
    ]
    for (const [retryAfter, at, waits] of cases)
      for (const [i, random] of [0, 0.5, 1].entries()) {
        const headers = { ...(retryAfter && { 'Retry-After': retryAfter }), ...(at && { Date: at }) }
        const run = scripted([error(429, headers), ok(9)], { random: () => random })
        const [end] = await run.time.run(Promise.allSettled([run.list()]))
        const waitMs = waits[i]
        const expected = waitMs ? ['fulfilled', [0, waitMs]] : ['rejected', [0]]
        assert.deepEqual([end.status, run.times()], expected, `${retryAfter} at ${at}`)
      }
  })

  it('waits without Retry-After grow to a minute and end after maxWaitMs', async () => {
    const run = scripted([error(429, {}, 'slow')], { random: () => 0.999, maxWaitMs: 200_000 })
    await assert.rejects(run.time.run(run.list()), { name: 'PetApiError', code: 'slow' })
    assert.deepEqual(
      run.waits.map(({ waitMs }) => Math.round(waitMs / 1_000)),
      [1, 2, 4, 8, 16, 32, 60, 60],
    )
  })

  it('a wait beyond maxWaitMs rejects all calls until it is over', async () => {
    const run = scripted([rejected('900'), ok(5)])
    const { list, time } = run
    const rejection = { code: 'rate_limit_exceeded', retryAfterMs: 900_000 }
    for (let i = 0; i < 2; i++) await assert.rejects(list(), rejection)
    await time.run(time.sleep(840_000))
    await time.run(list())
    assert.deepEqual(run.times(), [0, 902_500])
  })

  it('a call whose maxWaitMs passes in the queue rejects with the last 429', async () => {
    const end = new AbortController()
    const run = scripted([rejected('1'), hangs], { maxWaitMs: 1_060 })
    const list = () => run.client.list({}, { signal: end.signal }).page()
    const call = () => list().catch((reason: unknown) => reason)
    const first = call()
    await settled()
    const reason = await run.time.run(Promise.race([first, call(), call()])) // one of them is sent and hangs
    assert.ok(reason instanceof PetApiError && reason.status === 429)
    assert.equal(run.requests.length, 2)
    end.abort()
  })

  it('a call that is aborted in the queue leaves its place to the next', async () => {
    const controller = new AbortController()
    const run = scripted([after(100, ok(1)), ok(9)], { pace: true })
    const first = run.list()
    const queued = run.client.list({}, { signal: controller.signal })
    const second = assert.rejects(queued.page(), { name: 'AbortError' })
    const third = run.list()
    run.time.sleep(50).then(() => controller.abort())
    await run.time.run(Promise.all([first, second, third]))
    assert.equal(run.requests.length, 2)
  })
})

describe('a clock or a random source that returns no number', () => {
  for (const value of [Number.NaN, undefined, 'now', null])
    it(`does not shorten the wait after a 429 (${value})`, async () => {
      const broken = () => value as never // as fake timers do
      const run = scripted([rejected('10'), ok(9)], { clock: broken, random: broken })
      await run.time.run(run.list())
      const calls = run.lists(20)
      await settled()
      assert.equal(run.requests.length, 2)
      await run.time.run(calls)
      assert.ok(run.times().every((at, i) => i === 0 || at >= 10_000))
    })
})

describe('pace', () => {
  it('sends the first request alone, then as many as remain', async () => {
    const turns = [4, 3, 2, 1, 9].map((remaining) => slow(ok(remaining)))
    const run = scripted(turns, { pace: true })
    await run.time.run(run.lists(5))
    assert.deepEqual(rounded(run.times()), [0, 100, 100, 100, 100])
  })

  it('holds requests until a Reset that is ahead and within maxWaitMs', async () => {
    const behind: Turn = (request, time) => {
      const now = time.clock() - 60_000
      const headers = { 'X-RateLimit-Reset': String(now / 1_000 + 20), Date: new Date(now).toUTCString() }
      return ok(0, headers)(request, time)
    }
    for (const [turn, heldMs] of [
      [resetIn(20), 20_000],
      [behind, 20_000],
      ...[resetIn(3_600), resetIn(-5), ok(0), json(200, '[]')].map((turn) => [turn, 0] as const),
    ] as const) {
      const run = scripted([turn, ok(5)], { pace: true })
      await run.time.run(run.lists(2))
      assert.deepEqual(rounded(run.times()), [0, heldMs])
      const told = run.waits.map(({ attempt, status }) => [attempt, status])
      assert.deepEqual(told, heldMs > 0 ? [[1, undefined]] : [])
    }
  })
})

/** Clients of one service in this process, who share a key of 60 a minute. */
function sharing(count: number, options: Partial<PetClientOptions>) {
  const time = new FakeTime()
  const { clock } = time
  const keys = createKeyStore(
    [{ id: 'shared', sha256: sha256(apiKey), plan: 'enterprise', limits: { minute: 60, day: 100_000 } }],
    { clock },
  )
  const codes: string[] = []
  const limiter = createMemoryLimiter({ clock })
  const onResponse = ({ code = 'success' }) => void codes.push(code)
  const fetch = createFetchHandler(createPetService({ keys, clock, limiter, onResponse }))
  const shared = { baseUrl, apiKey, fetch: (request: Request) => fetch(request), clock, sleep: time.sleep }
  const clients = Array.from({ length: count }, () => createPetClient({ ...shared, ...options }))
  const number = (code: string) => codes.filter((found) => found === code).length
  return { clients, time, number }
}

describe('a key of 60 requests a minute', () => {
  for (const [pace, most429s] of [
    [false, 50],
    [true, 0],
  ] as const)
    it(`serves 100 concurrent calls with at most ${most429s} 429s and no ban`, async () => {
      const { clients, time, number } = sharing(1, { pace })
      const calls = clients.flatMap((client) => Array.from({ length: 100 }, () => client.create(newRex)))
      await time.run(Promise.all(calls))
      assert.deepEqual([number('success'), number('api_key_banned')], [100, 0])
      assert.ok(number('rate_limit_exceeded') <= most429s, `${number('rate_limit_exceeded')}`)
    })

  it('serves 300 requests of ten clients without a ban', async () => {
    const { clients, time, number } = sharing(10, { maxWaitMs: 1_200_000 })
    const lists = (count: number, client = clients[0]) =>
      Promise.all(Array.from({ length: count }, () => client?.list().page()))
    await time.run(lists(1))
    await time.run(time.sleep(59_000).then(() => lists(59)))
    const work = clients.map(async (client) => {
      await lists(10, client)
      for (let i = 0; i < 20; i++) await lists(1, client)
    })
    await time.run(Promise.all(work))
    assert.deepEqual([number('success'), number('api_key_banned')], [360, 0])
  })
})

/** A response of a deployment. Status 0 is a lost connection, and `seconds` is `Retry-After` unless it is 0. */
const someEvent = fc.record({
  status: fc.constantFrom(200, 200, 404, 429, 429, 429, 502, 503, 0),
  seconds: fc.constantFrom(0, 1, 2, 7, 30, 60),
  remaining: fc.nat(5),
})

/** Ten concurrent calls, then one every seven seconds, to a deployment that does what the events say, then succeeds. */
const someRun = fc.record({
  events: fc.array(someEvent, { maxLength: 40, size: 'max' }),
  randoms: fc.infiniteStream(fc.double({ min: 0, max: 0.999, noNaN: true })),
  maxWaitMs: fc.constantFrom(0, 5_000, 120_000),
  pace: fc.boolean(),
})

it('any deployment gets no early request, and each call ends in time', async () => {
  const property = fc.asyncProperty(someRun, async ({ events, randoms, ...options }) => {
    const early: number[] = []
    let [closedAt, closedUntil, longestMs] = [-1, 0, 0]
    const turns = events.map(
      ({ status, seconds, remaining }): Turn =>
        (request, time) => {
          const now = time.elapsed() // requests in flight with that of a 429 arrive at the same time
          if (now < closedUntil && now !== closedAt) early.push(now)
          if (status === 429) {
            closedAt = now
            closedUntil = Math.max(closedUntil, now + seconds * 1_000)
          }
          const headers = {
            'X-RateLimit-Remaining': `${remaining}`,
            ...(seconds && { 'Retry-After': `${seconds}` }),
          }
          const turn = status === 200 ? json(200, '[]', headers) : error(status, headers)
          return (status === 0 ? cut : turn)(request, time)
        },
    )
    const { list, time, requests } = scripted([...turns, json(200, '[]')], {
      ...options,
      random: () => Number(randoms.next().value),
    })
    const call = async () => {
      const began = time.elapsed() // responses take no time
      await list().finally(() => {
        longestMs = Math.max(longestMs, time.elapsed() - began)
      })
    }
    const later = [7_000, 14_000, 21_000].map((ms) => time.sleep(ms).then(call))
    const calls = [...Array.from({ length: 10 }, call), ...later]
    const ends = await time.run(Promise.allSettled(calls))
    const retries = events.filter(({ status }) => [0, 429, 502, 503].includes(status)).length
    assert.deepEqual(early, [])
    assert.ok(requests.length <= calls.length + retries)
    assert.ok(ends.every((end) => end.status === 'fulfilled' || end.reason instanceof Error))
    assert.ok(longestMs <= options.maxWaitMs, `${longestMs} ms`)
  })
  await fc.assert(property, { numRuns: 150, seed: 20_261_120 })
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createKeyStore, createMemoryLimiter, createPetService, sha256 } from '../../core/index.ts'
import { createPetClient, PetApiError, type PetClientOptions } from '../client.ts'
import { createFetchHandler } from '../fetch.ts'
import { createFakeTime } from './testing/fake-time.ts'
import {
  after,
  apiKey,
  baseUrl,
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
/** What is left of a minute. */
const resetIn =
  (seconds: number): Turn =>
  (request, time) =>
    ok(0, { 'X-RateLimit-Reset': String(Math.ceil(time.clock() / 1_000) + seconds) })(request, time)

/** Makes turns slow, and notes how many are under way as each begins. */
function counting() {
  const seen: number[] = []
  let underWay = 0
  const slowly =
    (turn: Turn): Turn =>
    async (request, time) => {
      seen.push(++underWay)
      await time.sleep(100)
      underWay--
      return turn(request, time)
    }
  return { slowly, seen }
}

describe('after a 429', () => {
  it('all calls of the client wait, one goes, and then as many as remain', async () => {
    const run = scripted([rejected('10'), ok(2), json(200, '[]', {})])
    const first = run.list()
    await settled()
    await run.time.run(Promise.all([first, run.lists(4)]))
    assert.deepEqual(run.times(), [0, 10_500, 10_500, 10_500, 10_500, 10_500])
    // Each call was told, also those that wait for the 429 of another.
    const told = run.waits.map(({ attempt, waitMs, status }) => `${attempt} ${waitMs} ${status}`)
    assert.deepEqual(told, new Array(5).fill('1 10500 429'))
  })

  it('one request at a time goes, until a response shows that more may go', async () => {
    const { slowly, seen } = counting()
    const gateway = slowly(() => new Response('', { status: 502 }))
    const turns = [rejected('1'), slowly(ok(0)), gateway, slowly(ok(1)), slowly(ok(3)), slowly(ok(9))]
    const run = scripted(turns, { maxRetries: 0 })
    await run.time.run(run.list())
    await run.time.run(Promise.allSettled(Array.from({ length: 8 }, run.list)))
    assert.deepEqual([seen.slice(0, 4), Math.max(...seen)], [[1, 1, 1, 1], 4])
  })

  it('a success without rate-limit headers opens the gate, and another response without them does not', async () => {
    const { slowly, seen } = counting()
    const turns = [rejected('1'), slowly(error(404)), slowly(error(404)), slowly(json(200, '[]'))]
    const run = scripted(turns)
    const first = run.list()
    await settled()
    const others = Array.from({ length: 6 }, run.list)
    await run.time.run(Promise.allSettled([first, ...others]))
    assert.deepEqual(seen, [1, 1, 1, 1, 2, 3, 4])
  })

  it('a response to an earlier request does not open it', async () => {
    const { slowly, seen } = counting()
    const run = scripted([after(5_000, ok(40)), rejected('10'), slowly(ok(1))])
    const first = run.lists(2)
    await settled()
    await run.time.run(Promise.all([first, run.lists(2)]))
    assert.deepEqual(seen, [1, 1, 1])
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

  it('Retry-After is kept as a number and as a date by the server’s Date, with up to a tenth or five seconds more; nothing else counts', async () => {
    const date = 'Fri, 20 Nov 2026 12:00:30 GMT' // 30 s behind the clock of the test
    const cases: readonly (readonly [retryAfter: string, date: string, waits: readonly number[]])[] = [
      ['7', '', [7_000, 7_350, 7_700]],
      ['120', '', [120_000]],
      ['9'.repeat(20), '', []],
      ['9'.repeat(400), '', []],
      ['Fri, 20 Nov 2026 12:01:00 GMT', '', [60_000, 62_500, 65_000]],
      ['Fri, 20 Nov 2026 12:01:00 GMT', date, [30_000, 31_500, 33_000]],
      ['Friday, 20-Nov-26 12:01:00 GMT', date, [30_000, 31_500, 33_000]],
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

  it('the waits without Retry-After grow to a minute, and end after maxWaitMs with the error of the last response', async () => {
    const run = scripted([error(429, {}, 'slow')], { random: () => 0.999 })
    await assert.rejects(run.time.run(run.list()), { name: 'PetApiError', code: 'slow' })
    assert.deepEqual(
      run.waits.map(({ waitMs }) => Math.round(waitMs / 1_000)),
      [1, 2, 4, 8, 16, 32],
    )
    const always = scripted([error(429)], { random: () => 0 })
    await assert.rejects(always.time.run(always.list()), PetApiError)
  })

  it('a wait that is longer than a call may wait rejects it, and later ones until it is over, at once', async () => {
    const run = scripted([rejected('900'), ok(5)])
    const { list, time } = run
    const code = 'rate_limit_exceeded'
    await assert.rejects(list(), { code, retryAfterMs: 900_000 })
    await assert.rejects(list(), { code })
    await time.run(time.sleep(840_000))
    await time.run(list())
    assert.deepEqual(run.times(), [0, 902_500])
  })

  it('a call whose maxWaitMs passes in the queue is rejected with the error of the last 429', async () => {
    const end = new AbortController()
    const run = scripted([rejected('1'), hangs], { maxWaitMs: 1_060 })
    const ends: unknown[] = []
    const call = () =>
      run.client
        .list({}, { signal: end.signal })
        .page()
        .catch((reason: unknown) => ends.push(reason))
    const first = call()
    await settled()
    const others = Promise.race([call(), call()])
    await run.time.run(Promise.race([first, others])) // one of them is sent and hangs
    assert.ok(ends[0] instanceof PetApiError && ends[0].status === 429)
    assert.equal(run.requests.length, 2)
    end.abort()
  })

  it('a call that is aborted in the queue leaves its place to the next', async () => {
    const controller = new AbortController()
    const run = scripted([after(100, ok(1)), ok(9)], { pace: true })
    const first = run.list()
    const queued = run.client.list({}, { signal: controller.signal }).page()
    const second = assert.rejects(queued, { name: 'AbortError' })
    const third = run.list()
    run.time.sleep(50).then(() => controller.abort())
    await run.time.run(Promise.all([first, second, third]))
    assert.equal(run.requests.length, 2)
  })
})

describe('pace', () => {
  it('lets the first request go alone, and then as many as remain', async () => {
    const { slowly, seen } = counting()
    const turns = [4, 3, 2, 1, 9].map((remaining) => slowly(ok(remaining)))
    const run = scripted(turns, { pace: true })
    await run.time.run(run.lists(5))
    assert.deepEqual(seen, [1, 1, 2, 3, 4])
  })

  it('holds requests until Reset by the server’s Date, if that is ahead and not beyond maxWaitMs', async () => {
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
      assert.deepEqual(run.times(), [0, heldMs])
      const told = run.waits.map(({ attempt, status }) => [attempt, status])
      assert.deepEqual(told, heldMs > 0 ? [[1, undefined]] : [])
    }
  })
})

/** Clients of one service in this process, who share a key of 60 a minute. */
function sharing(count: number, options: Partial<PetClientOptions>) {
  const time = createFakeTime()
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
    it(`is enough for a hundred calls at once, with at most ${most429s} 429s and without a ban`, async () => {
      const { clients, time, number } = sharing(1, { pace })
      const calls = clients.flatMap((client) => Array.from({ length: 100 }, () => client.create(newRex)))
      await time.run(Promise.all(calls))
      assert.deepEqual([number('success'), number('api_key_banned')], [100, 0])
      assert.ok(number('rate_limit_exceeded') <= most429s, `${number('rate_limit_exceeded')}`)
    })

  for (const atOnce of [true, false])
    it(`is enough for ten clients that finish 300 requests ${atOnce ? 'at once' : 'one after the other, while it refills'}, without a ban`, async () => {
      const { clients, time, number } = sharing(10, { maxWaitMs: 1_200_000 })
      const lists = (count: number, client = clients[0]) =>
        Promise.all(Array.from({ length: count }, () => client?.list().page()))
      if (!atOnce) {
        await time.run(lists(1))
        await time.run(time.sleep(59_000).then(() => lists(59)))
      }
      const work = clients.map(async (client) => {
        if (atOnce) await lists(30, client)
        else for (let i = 0; i < 30; i++) await lists(1, client)
      })
      await time.run(Promise.all(work))
      assert.deepEqual([number('success'), number('api_key_banned')], [atOnce ? 300 : 360, 0])
    })
})

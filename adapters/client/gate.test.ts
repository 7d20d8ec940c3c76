import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { createKeyStore, createMemoryLimiter, createPetService, sha256 } from '../../core/index.ts'
import { createTestFetch } from '../fetch/index.ts'
import { createPetClient, PetApiError, type PetClientOptions } from './index.ts'
import { FakeTime } from './testing/fake-time.ts'
import {
  apiKey,
  baseUrl,
  createScriptedClient,
  failToFetch,
  neverRespond,
  newRex,
  type Responder,
  respondAfter,
  type ScriptedClient,
  sendError,
  sendJson,
  settle,
} from './testing/scripted-client.ts'

const respondRejected = (retryAfter: string) =>
  sendError(429, { 'Retry-After': retryAfter }, 'rate_limit_exceeded')
/** Responds with `X-RateLimit-Remaining`. */
const respondAllowed = (remaining: number, headers: Readonly<Record<string, string>> = {}) =>
  sendJson(200, '[]', { 'X-RateLimit-Remaining': String(remaining), ...headers })
/** Responds that no requests remain until a reset. */
const respondExhausted =
  (seconds: number): Responder =>
  (request, time) =>
    respondAllowed(0, { 'X-RateLimit-Reset': String(Math.ceil(time.clock() / 1_000) + seconds) })(
      request,
      time,
    )

/** Rounds times down to 50 ms, because queued calls check only every few milliseconds. */
const roundTimes = (times: readonly number[]) => times.map((at) => at - (at % 50))

const delayResponse = (turn: Responder) => respondAfter(100, turn)

describe('a client after a 429', () => {
  it('delays all calls until Retry-After has passed', async () => {
    const clientRun = createScriptedClient([
      respondRejected('10'),
      respondAllowed(2),
      sendJson(200, '[]', {}),
    ])
    const firstList = clientRun.listPets()
    await settle()
    await clientRun.time.run(Promise.all([firstList, clientRun.listConcurrently(4)]))
    assert.deepEqual(clientRun.getRequestTimes(), [0, 10_500, 10_500, 10_500, 10_500, 10_500])
    // every waiting call reports its wait
    const reportedWaits = clientRun.waits.map(
      ({ attempt, waitMs, status }) => `${attempt} ${waitMs} ${status}`,
    )
    assert.deepEqual(reportedWaits, new Array(5).fill('1 10500 429'))
  })

  it('adjusts its concurrency to the remaining requests', async () => {
    const failAtGateway: Responder = () => new Response('', { status: 502 })
    const responders = [
      respondRejected('1'),
      ...[respondAllowed(0), failAtGateway, respondAllowed(1), respondAllowed(3), respondAllowed(9)].map(
        delayResponse,
      ),
    ]
    const clientRun = createScriptedClient(responders, { maxRetries: 0 })
    await clientRun.time.run(clientRun.listPets())
    await clientRun.time.run(Promise.allSettled(Array.from({ length: 8 }, clientRun.listPets)))
    assert.deepEqual(
      roundTimes(clientRun.getRequestTimes()),
      [0, 1_050, 1_150, 1_250, 1_350, 1_450, 1_450, 1_450, 1_550, 1_550],
    )
  })

  it('sends one request at a time until a response has no limit headers', async () => {
    const clientRun = createScriptedClient([
      respondRejected('1'),
      ...[sendError(404), sendError(404), sendJson(200, '[]')].map(delayResponse),
    ])
    await assert.rejects(clientRun.time.run(clientRun.listPets()))
    await clientRun.time.run(Promise.allSettled(Array.from({ length: 5 }, clientRun.listPets)))
    assert.deepEqual(roundTimes(clientRun.getRequestTimes()), [0, 1_050, 1_150, 1_250, 1_350, 1_350, 1_350])
  })

  it('ignores limit headers in responses to earlier requests', async () => {
    const clientRun = createScriptedClient([
      respondAfter(5_000, respondAllowed(40)),
      respondRejected('10'),
      delayResponse(respondAllowed(1)),
    ])
    const firstLists = clientRun.listConcurrently(2)
    await settle()
    await clientRun.time.run(Promise.all([firstLists, clientRun.listConcurrently(2)]))
    assert.deepEqual(clientRun.getRequestTimes(), [0, 0, 10_500, 10_600, 10_700])
  })

  it('counts time in the queue towards the maximum wait', async () => {
    const clientRun = createScriptedClient(
      [respondRejected('1'), respondAfter(6_000, respondAllowed(0)), respondRejected('4'), respondAllowed(9)],
      {
        maxWaitMs: 10_000,
      },
    )
    const firstList = clientRun.listPets()
    await settle()
    const [one, other] = await clientRun.time.run(Promise.allSettled([firstList, clientRun.listPets()]))
    assert.deepEqual([one.status, other.status], ['fulfilled', 'rejected'])
  })

  it('waits for the reset when no requests remain', async () => {
    const clientRun = createScriptedClient([respondRejected('1'), respondExhausted(30), respondAllowed(5)])
    await clientRun.time.run(clientRun.listPets().then(() => clientRun.listConcurrently(2)))
    assert.deepEqual(clientRun.getRequestTimes(), [0, 1_050, 32_000, 32_000])
  })

  it('adds up to 10 % to Retry-After, in seconds or as an HTTP date', async () => {
    const serverDate = 'Fri, 20 Nov 2026 12:00:30 GMT' // the server's clock is 30 s ahead of the client's clock
    const cases: readonly (readonly [retryAfter: string, date: string, waits: readonly number[]])[] = [
      ['7', '', [7_000, 7_350, 7_700]],
      ['120', '', [120_000]],
      ['9'.repeat(20), '', []],
      ['9'.repeat(400), '', []],
      ['Fri, 20 Nov 2026 12:01:00 GMT', '', [60_000, 62_500, 65_000]],
      ['Fri, 20 Nov 2026 12:01:00 GMT', serverDate, [30_000, 31_500, 33_000]],
      ['Friday, 20-Nov-26 12:01:00 GMT', serverDate, [30_000, 31_500, 33_000]],
      ['Fri Nov 20 12:01:00 2026', serverDate, [30_000, 31_500, 33_000]],
      ['Tue Dec  1 12:00:00 2026', 'Tue, 01 Dec 2026 11:59:30 GMT', [30_000, 31_500, 33_000]],
      ...['0', '-5', '1.5', 'soon', 'in 2030 GMT', '5, 5', 'Fri, 20 Nov 2026 11:00:00 GMT', ''].map(
        (other) => [other, '', [1, 500, 1_000]] as const,
      ),
    ]
    for (const [retryAfter, at, waits] of cases)
      for (const [i, random] of [0, 0.5, 1].entries()) {
        const headers = { ...(retryAfter && { 'Retry-After': retryAfter }), ...(at && { Date: at }) }
        const clientRun = createScriptedClient([sendError(429, headers), respondAllowed(9)], {
          random: () => random,
        })
        const [end] = await clientRun.time.run(Promise.allSettled([clientRun.listPets()]))
        const waitMs = waits[i]
        const expectedResult = waitMs ? ['fulfilled', [0, waitMs]] : ['rejected', [0]]
        assert.deepEqual([end.status, clientRun.getRequestTimes()], expectedResult, `${retryAfter} at ${at}`)
      }
  })

  it('backs off exponentially up to 60 s without Retry-After', async () => {
    const clientRun = createScriptedClient([sendError(429, {}, 'slow')], {
      random: () => 0.999,
      maxWaitMs: 200_000,
    })
    await assert.rejects(clientRun.time.run(clientRun.listPets()), { name: 'PetApiError', code: 'slow' })
    assert.deepEqual(
      clientRun.waits.map(({ waitMs }) => Math.round(waitMs / 1_000)),
      [1, 2, 4, 8, 16, 32, 60, 60],
    )
  })

  it('rejects immediately if Retry-After exceeds the maximum wait', async () => {
    const clientRun = createScriptedClient([respondRejected('900'), respondAllowed(5)])
    const { listPets, time } = clientRun
    const expectedRejection = { code: 'rate_limit_exceeded', retryAfterMs: 900_000 }
    for (let i = 0; i < 2; i++) await assert.rejects(listPets(), expectedRejection)
    await time.run(time.sleep(840_000))
    await time.run(listPets())
    assert.deepEqual(clientRun.getRequestTimes(), [0, 902_500])
  })

  it('rejects queued calls when their maximum wait is over', async () => {
    const abortController = new AbortController()
    const clientRun = createScriptedClient([respondRejected('1'), neverRespond], { maxWaitMs: 1_060 })
    const listPage = () => clientRun.client.list({}, { signal: abortController.signal }).page()
    const callAndCatch = () => listPage().catch((reason: unknown) => reason)
    const firstCall = callAndCatch()
    await settle()
    const reason = await clientRun.time.run(Promise.race([firstCall, callAndCatch(), callAndCatch()])) // the first call is sent and hangs, so it does not settle
    assert.ok(reason instanceof PetApiError && reason.status === 429)
    assert.equal(clientRun.requests.length, 2)
    abortController.abort()
  })

  it('sends a request early if its maximum wait is 0.25 ms too short', async () => {
    const clientRun: ScriptedClient = createScriptedClient(
      [respondAfter(5, respondExhausted(9)), respondAllowed(9)],
      {
        waitForReset: true,
        maxWaitMs: 10_000,
        sleep: (ms) => clientRun.time.sleep(ms + 0.25),
      },
    )
    await clientRun.time.run(clientRun.listConcurrently(2))
    assert.deepEqual(clientRun.getRequestTimes(), [0, 20.25])
  })

  it('sends the next queued call when a call before it is aborted', async () => {
    const controller = new AbortController()
    const clientRun = createScriptedClient([respondAfter(100, respondAllowed(1)), respondAllowed(9)], {
      waitForReset: true,
    })
    const firstList = clientRun.listPets()
    const queuedList = clientRun.client.list({}, { signal: controller.signal })
    const abortedPage = assert.rejects(queuedList.page(), { name: 'AbortError' })
    const thirdList = clientRun.listPets()
    clientRun.time.sleep(50).then(() => controller.abort())
    await clientRun.time.run(Promise.all([firstList, abortedPage, thirdList]))
    assert.equal(clientRun.requests.length, 2)
  })
})

describe('a client whose clock and random source are broken', () => {
  for (const value of [Number.NaN, undefined, 'now', null])
    it(`still waits after a 429 (${value})`, async () => {
      const returnInvalid = () => value as never // some fake timers return such values
      const clientRun = createScriptedClient([respondRejected('10'), respondAllowed(9)], {
        clock: returnInvalid,
        random: returnInvalid,
      })
      await clientRun.time.run(clientRun.listPets())
      const calls = clientRun.listConcurrently(20)
      await settle()
      assert.equal(clientRun.requests.length, 2)
      await clientRun.time.run(calls)
      assert.ok(clientRun.getRequestTimes().every((at, i) => i === 0 || at >= 10_000))
    })
})

describe('a client with waitForReset', () => {
  it('sends at most as many requests as remain', async () => {
    const responders = [4, 3, 2, 1, 9].map((remaining) => delayResponse(respondAllowed(remaining)))
    const clientRun = createScriptedClient(responders, { waitForReset: true })
    await clientRun.time.run(clientRun.listConcurrently(5))
    assert.deepEqual(roundTimes(clientRun.getRequestTimes()), [0, 100, 100, 100, 100])
  })

  it('waits for the reset that the headers announce', async () => {
    const respondWithSlowClock: Responder = (request, time) => {
      const slowClockTime = time.clock() - 60_000
      const headers = {
        'X-RateLimit-Reset': String(slowClockTime / 1_000 + 20),
        Date: new Date(slowClockTime).toUTCString(),
      }
      return respondAllowed(0, headers)(request, time)
    }
    for (const [turn, heldMs] of [
      [respondExhausted(20), 20_000],
      [respondWithSlowClock, 20_000],
      ...[respondExhausted(3_600), respondExhausted(-5), respondAllowed(0), sendJson(200, '[]')].map(
        (turn) => [turn, 0] as const,
      ),
    ] as const) {
      const clientRun = createScriptedClient([turn, respondAllowed(5)], { waitForReset: true })
      await clientRun.time.run(clientRun.listConcurrently(2))
      assert.deepEqual(roundTimes(clientRun.getRequestTimes()), [0, heldMs])
      const reportedWaits = clientRun.waits.map(({ attempt, status }) => [attempt, status])
      assert.deepEqual(reportedWaits, heldMs > 0 ? [[1, undefined]] : [])
    }
  })
})

/** Creates clients that share one API key and its limits. */
function createSharingClients(count: number, options: Partial<PetClientOptions>) {
  const time = new FakeTime()
  const { clock } = time
  const keys = createKeyStore(
    [{ id: 'shared', sha256: sha256(apiKey), plan: 'enterprise', limits: { minute: 60, day: 100_000 } }],
    { clock },
  )
  const codes: string[] = []
  const limiter = createMemoryLimiter({ clock })
  const onResponse = ({ code = 'success' }) => void codes.push(code)
  const fetch = createTestFetch(createPetService({ keys, clock, limiter, onResponse }))
  const sharedOptions = { baseUrl, apiKey, fetch, clock, sleep: time.sleep }
  const clients = Array.from({ length: count }, () => createPetClient({ ...sharedOptions, ...options }))
  const countCode = (code: string) => codes.filter((found) => found === code).length
  return { clients, time, countCode }
}

describe('clients that share an API key', () => {
  for (const [waitForReset, most429s] of [
    [false, 50],
    [true, 0],
  ] as const)
    it(`cause at most ${most429s} rejections in a burst with 100 requests`, async () => {
      const { clients, time, countCode } = createSharingClients(1, { waitForReset })
      const calls = clients.flatMap((client) => Array.from({ length: 100 }, () => client.create(newRex)))
      await time.run(Promise.all(calls))
      assert.deepEqual([countCode('success'), countCode('api_key_banned')], [100, 0])
      assert.ok(countCode('rate_limit_exceeded') <= most429s, `${countCode('rate_limit_exceeded')}`)
    })

  it('are never banned, even ten at a time', async () => {
    const { clients, time, countCode } = createSharingClients(10, { maxWaitMs: 1_200_000 })
    const startLists = (count: number, client = clients[0]) =>
      Promise.all(Array.from({ length: count }, () => client?.list().page()))
    await time.run(startLists(1))
    await time.run(time.sleep(59_000).then(() => startLists(59)))
    const pendingCalls = clients.map(async (client) => {
      await startLists(10, client)
      for (let i = 0; i < 20; i++) await startLists(1, client)
    })
    await time.run(Promise.all(pendingCalls))
    assert.deepEqual([countCode('success'), countCode('api_key_banned')], [360, 0])
  })
})

/** One scripted response. Status 0 is a failed connection, and `seconds` is the `Retry-After` value. */
const arbitraryEvent = fc.record({
  status: fc.constantFrom(200, 200, 404, 429, 429, 429, 502, 503, 0),
  seconds: fc.constantFrom(0, 1, 2, 7, 30, 60),
  remaining: fc.nat(5),
})

/** A list of responses, with client options. */
const arbitraryRun = fc.record({
  events: fc.array(arbitraryEvent, { maxLength: 40, size: 'max' }),
  randoms: fc.infiniteStream(fc.double({ min: 0, max: 0.999, noNaN: true })),
  maxWaitMs: fc.constantFrom(0, 5_000, 120_000),
  waitForReset: fc.boolean(),
})

it('a client sends no request while it is rate-limited', async () => {
  const queueProperty = fc.asyncProperty(arbitraryRun, async ({ events, randoms, ...options }) => {
    const earlyCallTimes: number[] = []
    let [closedAt, closedUntil, longestMs] = [-1, 0, 0]
    const responders = events.map(
      ({ status, seconds, remaining }): Responder =>
        (request, time) => {
          const elapsedMs = time.elapsed() // a request in flight may still arrive with the rejected one
          if (elapsedMs < closedUntil && elapsedMs !== closedAt) earlyCallTimes.push(elapsedMs)
          if (status === 429) {
            closedAt = elapsedMs
            closedUntil = Math.max(closedUntil, elapsedMs + seconds * 1_000)
          }
          const headers = {
            'X-RateLimit-Remaining': `${remaining}`,
            ...(seconds && { 'Retry-After': `${seconds}` }),
          }
          const turn = status === 200 ? sendJson(200, '[]', headers) : sendError(status, headers)
          return (status === 0 ? failToFetch : turn)(request, time)
        },
    )
    const { listPets, time, requests } = createScriptedClient([...responders, sendJson(200, '[]')], {
      ...options,
      random: () => Number(randoms.next().value),
    })
    const callAndRecord = async () => {
      const startedAtMs = time.elapsed()
      await listPets().finally(() => {
        longestMs = Math.max(longestMs, time.elapsed() - startedAtMs)
      })
    }
    const laterCalls = [7_000, 14_000, 21_000].map((ms) => time.sleep(ms).then(callAndRecord))
    const calls = [...Array.from({ length: 10 }, callAndRecord), ...laterCalls]
    const callResults = await time.run(Promise.allSettled(calls))
    const retries = events.filter(({ status }) => [0, 429, 502, 503].includes(status)).length
    assert.deepEqual(earlyCallTimes, [])
    assert.ok(requests.length <= calls.length + retries)
    assert.ok(callResults.every((end) => end.status === 'fulfilled' || end.reason instanceof Error))
    assert.ok(longestMs <= options.maxWaitMs, `${longestMs} ms`)
  })
  await fc.assert(queueProperty, { numRuns: 150, seed: 20_261_120 })
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { judge } from './judge/judge.ts'
import { readReport } from './judge/read-report.ts'
import { exitCode } from './report/outcome.ts'
import type { RunOptions } from './run/options.ts'
import { record } from './run/record.ts'
import { runConformance } from './run-conformance.ts'
import type { Profile } from './steps/profile.ts'
import { startWith } from './testing/deployments/change.ts'
import type { Handler } from './testing/deployments/deployment.ts'
import { createRunOptions } from './testing/deployments/trial.ts'
import { mainKey, seedAnimals, throttleKey } from './testing/deployments/world.ts'
import { createDraw, createHostileBodies } from './testing/hostile-bodies.ts'
import { isInvalidStep } from './transcript/creations.ts'
import type { Exchange } from './transcript/transcript.ts'

function createOptions(profile: Profile, around = (handler: Handler): Handler => handler): RunOptions {
  const createConformingOptions = createRunOptions({ does: 'conforms' }, profile)
  return { ...createConformingOptions, fetch: around(createConformingOptions.fetch) }
}

const recordExchanges = async (
  profile: Profile,
  around?: (handler: Handler) => Handler,
): Promise<readonly Exchange[]> => (await record(createOptions(profile, around))).exchanges

const respondWhen =
  (when: (request: Request) => boolean, instead: () => Response | Promise<Response>) =>
  (handler: Handler): Handler =>
  async (request) =>
    when(request) ? instead() : handler(request)

type Sent = Pick<Exchange, 'id' | 'request'>
const filterPosts = <One extends Sent>(exchanges: readonly One[]): readonly One[] =>
  exchanges.filter(({ request }) => request.method === 'POST')
const listIds = (exchanges: readonly Sent[]): readonly string[] => exchanges.map(({ id }) => id)
const matchAnyRequest = (): boolean => true

describe('requests in a run', () => {
  it('are at most 40 GETs in profile read', async () => {
    const exchanges = await recordExchanges('read')
    assert.ok(exchanges.length <= 40)
    assert.ok(exchanges.every(({ request }) => request.method === 'GET'))
  })

  for (const profile of ['create', 'all'] as const) {
    for (const [name, count] of [
      ['many animals', 110],
      ['no animals', 0],
      ['12 available animals', 12],
    ] as const) {
      it(`include all read requests in profile ${profile} with ${name}`, async () => {
        const animals = seedAnimals(count).map((one) =>
          count === 12 ? { ...one, status: 'available' } : one,
        )
        const createProfileOptions = (of: Profile): RunOptions =>
          createRunOptions({ does: '', ...startWith({ animals }) }, of)
        const [read, whole] = [
          await record(createProfileOptions('read')),
          await record(createProfileOptions(profile)),
        ]
        const sentIds = listIds(whole.exchanges)
        const otherIds = listIds(read.exchanges).filter((id) => !sentIds.includes(id))
        assert.deepEqual(otherIds, count === 110 ? [] : count === 0 ? ['get-word'] : ['list-status-1'])
        assert.ok(profile === 'all' || sentIds.length <= 80, `${sentIds.length} requests`)
        if (count === 110) assert.ok(sentIds.indexOf('get-last') < sentIds.indexOf('create-available'))
      })
    }
  }

  it('with a key are sent before anonymous requests', async () => {
    const exchanges = await recordExchanges('all')
    assert.equal(new Set(listIds(exchanges)).size, exchanges.length)
    const getExchanges = exchanges.filter(({ request }) => request.method === 'GET')
    const credentials = getExchanges.map(({ credential }) => credential)
    const firstLongerKey = credentials.indexOf('throttle-key-longer')
    assert.ok(credentials.lastIndexOf('key') < firstLongerKey)
    assert.ok(credentials.lastIndexOf('throttle-key') < firstLongerKey)
    assert.ok(credentials.slice(credentials.indexOf('none')).every((credential) => credential === 'none'))
  })

  it('create animals with unique, short names', async () => {
    const { marker, exchanges } = await record(createOptions('all'))
    const names = filterPosts(exchanges)
      .filter(
        ({ id }) => !['create-unusual-name', 'create-own-id', 'create-nul-name', 'create-again'].includes(id),
      )
      .flatMap(({ request }) => /"name":"([^"]*)"/.exec(request.body ?? '')?.[1] ?? [])
    assert.ok(names.length > 20)
    assert.equal(new Set(names).size, names.length)
    for (const name of names) {
      assert.ok(name.startsWith(`${marker} `))
      assert.match(name, /^[A-Za-z]+ [A-Za-z]+$/)
      assert.ok(name.length <= 12)
    }
  })

  it('contain no more invalid bodies after 12 were accepted', async () => {
    let created = 0
    const laxOptions = respondWhen(
      (request) => request.method === 'POST' && request.url.endsWith('/pets'),
      () => Response.json({ id: 5000 + ++created, name: 'Pet', categoryId: 1 }, { status: 201 }),
    )
    const { rules, exchanges } = await runConformance(createOptions('create', laxOptions))
    assert.equal(
      exchanges.filter(({ id, request }) => request.method === 'POST' && isInvalidStep(id)).length,
      12,
    )
    assert.ok(created <= 26)
    const openRules = rules.filter(({ id, verdict }) => /^CREATE-(9|1\d|20)$/.test(id) && verdict !== 'fail')
    assert.deepEqual(openRules, [])
    const parallelRule = rules.find(({ id }) => id === 'CREATE-27')
    assert.equal(parallelRule?.verdict, 'not-run')
    assert.match(parallelRule.reason, /12 invalid bodies were accepted, so the suite sent no more of them/)
  })

  it('are at most 80 in profile create, with 14 valid bodies', async () => {
    let requests = 0
    const respondSlowly =
      (handler: Handler): Handler =>
      async (request) => {
        requests += 1
        const isPost = request.method === 'POST'
        const body = isPost ? await request.clone().text() : ''
        const isUnknown = request.headers.get('authorization')?.startsWith('Bearer unknown') ?? false
        if (body.includes('9007199254740993') || (isPost && isUnknown))
          return Response.json({ code: 'e', message: 'No.', status: 400 }, { status: 400 })
        if (/\/pets\/\d{4}$/.test(request.url)) return new Response('', { status: 404 })
        const response = await handler(request)
        if (isPost || !request.url.includes('status=')) return response
        const pets: unknown = await response.json()
        const oldPets = Array.isArray(pets) ? pets.filter(({ id }) => id < 1000) : pets
        return Response.json(oldPets, response)
      }
    const { exchanges, rules } = await runConformance(createOptions('create', respondSlowly))
    const sentIds = listIds(exchanges)
    assert.ok(filterPosts(exchanges).filter(({ id }) => !isInvalidStep(id)).length <= 14)
    assert.ok(requests === sentIds.length && requests <= 80)
    for (const id of [
      'create-small-category',
      'list-sold-100-again',
      'get-created-again',
      'unknown-key-create',
    ])
      assert.ok(sentIds.includes(id), id)
    assert.equal(rules.find(({ id }) => id === 'AUTH-13')?.verdict, 'pass')
    const lastRule = rules.find(({ id }) => id === 'AUTH-17')
    assert.equal(lastRule?.verdict, 'not-run')
    assert.match(
      lastRule.reason,
      /the limit of 80 requests was reached before list-same-connection could be sent/,
    )
  })
})

describe('runConformance', () => {
  it('rejects unknown rules before it sends anything', async () => {
    for (const name of ['only', 'skip']) {
      const runOptions = {
        ...createOptions('read'),
        [name]: ['LIST-99'],
        onStart: () => assert.fail('the run began'),
      }
      await assert.rejects(
        runConformance(runOptions),
        new RegExp(`^TypeError: ${name}: unknown rule "LIST-99"`),
      )
    }
  })

  it('ends the run after three requests without a response', async () => {
    const failEveryRequest = respondWhen(matchAnyRequest, () => Promise.reject(new Error('gone')))
    const report = await runConformance(createOptions('read', failEveryRequest))
    assert.equal(report.requests, 3)
    assert.match(report.endedEarly ?? '', /gone/)
    assert.equal(exitCode(report), 3)
  })

  it('continues after single network errors, without retrying', async () => {
    const urls: string[] = []
    const flakyHandler =
      (handler: Handler): Handler =>
      async (request) => {
        urls.push(`${request.method} ${request.url}`)
        return urls.length % 3 === 0 ? Promise.reject(new Error('reset')) : handler(request)
      }
    const transcript = await record(createOptions('create', flakyHandler))
    assert.equal(transcript.endedEarly, undefined)
    assert.equal(urls.length, transcript.exchanges.length)
  })

  it('does not use a rejected key again', async () => {
    for (const status of [401, 403]) {
      const rejectingHandler = respondWhen(matchAnyRequest, () =>
        Response.json({ code: 'e', message: 'No.', status }, { status }),
      )
      const report = await runConformance(createOptions('create', rejectingHandler))
      assert.equal(report.exchanges.filter(({ id }) => id.startsWith('list')).length, 1)
      assert.ok(report.exchanges.some(({ id }) => id === 'no-key-create'))
      assert.equal(report.causes[0]?.id, 'key-rejected')
      assert.equal(report.rules.find(({ id }) => id === 'LIST-1')?.verdict, 'inconclusive')
      const listRules = report.rules.filter(({ id }) => id.startsWith('LIST'))
      assert.equal(exitCode({ ...report, rules: listRules }, { allowInconclusive: true }), 3)
    }
  })

  it('ends the run after maxRequests', async () => {
    const report = await runConformance({ ...createOptions('read'), maxRequests: 5 })
    assert.equal(report.requests, 5)
    assert.match(report.endedEarly ?? '', /limit of 5 requests is reached/)
    assert.equal(report.rules.find(({ id }) => id === 'GET-1')?.verdict, 'not-run')
    assert.equal(report.rules.find(({ id }) => id === 'LIST-8')?.verdict, 'pass')
    assert.equal(exitCode(report, { allowInconclusive: true }), 3)
  })
})

const filterThrottled = (exchanges: readonly Exchange[]): readonly Exchange[] =>
  exchanges.filter(({ id, credential }) => /burn|^limit-together/.test(id) && credential === 'throttle-key')
const respondToThrottleKey = (say: (n: number) => Response) => {
  let n = 0
  return respondWhen(
    (request) => request.headers.get('authorization') === `Bearer ${throttleKey}`,
    () => say(++n),
  )
}
const createServed = (remaining: string): Response =>
  Response.json([], { headers: { 'x-ratelimit-remaining': remaining } })
const createRejected = (retryAfter: string): Response =>
  new Response('', { status: 429, headers: { 'retry-after': retryAfter } })

describe('profile exhaust', () => {
  it('waits for Retry-After before the next request', async () => {
    const exchanges = filterThrottled(await recordExchanges('exhaust'))
    const [rejection, after] = exchanges.slice(-2)
    assert.equal(after?.id, 'after-burn')
    assert.ok(rejection?.response?.status === 429)
    assert.ok(after?.response?.status === 200)
    const retryAfter = rejection.response.headers.find(([name]) => name === 'retry-after')?.[1]
    assert.ok(after.at - rejection.at >= Number(retryAfter) * 1000 + 1000)
  })

  for (const [sentence, respond, count] of [
    [
      'sends at most 10 requests more than twice the first X-RateLimit-Remaining',
      () => createServed('7'),
      24,
    ],
    [
      'counts parallel requests toward its 500 requests',
      (n) => createServed(String(Math.max(0, 480 - n))),
      500,
    ],
    ['sends at most 500 requests', () => createServed('100000'), 500],
    ['stops after the first response if its X-RateLimit-Remaining is invalid', () => createServed('many'), 1],
    ['stops after a 401', () => new Response('', { status: 401 }), 1],
    ['stops after a gateway error', () => new Response('', { status: 503 }), 1],
    ['waits at most 5 minutes', (n) => (n === 1 ? createServed('1') : createRejected('301')), 2],
    [
      'does not wait if Retry-After is invalid',
      (n) => (n === 1 ? createServed('1') : createRejected('soon')),
      2,
    ],
  ] as readonly (readonly [string, (n: number) => Response, number])[]) {
    it(`${sentence}`, async () => {
      const exchanges = await recordExchanges('exhaust', respondToThrottleKey(respond))
      assert.equal(filterThrottled(exchanges).length, count)
      assert.ok(listIds(exchanges).includes('no-key-list'))
    })
  }

  it('sends at most maxRequests requests', async () => {
    for (const maxRequests of [50, 700]) {
      const lavishOptions = respondToThrottleKey(() => createServed('100000'))
      const { exchanges } = await record({ ...createOptions('exhaust', lavishOptions), maxRequests })
      assert.equal(exchanges.length, maxRequests)
      assert.ok(filterThrottled(exchanges).length > maxRequests - 40)
    }
  })

  it('continues with the throttle key if both keys share a limit', async () => {
    let wasThrottled = false
    const isShared = (request: Request): boolean => {
      const isMain = request.headers.get('authorization') === `Bearer ${mainKey}`
      wasThrottled ||= request.headers.get('authorization') === `Bearer ${throttleKey}`
      return isMain && wasThrottled
    }
    const sharedLimitOptions = respondWhen(isShared, () => createRejected('1'))
    const exchanges = await recordExchanges('exhaust', sharedLimitOptions)
    const listIndex = listIds(exchanges).indexOf('list-after-burn')
    assert.match(exchanges[listIndex - 1]?.id ?? '', /^burn-/)
    assert.equal(exchanges[listIndex + 1]?.id, 'after-burn')
    assert.ok(listIds(exchanges).includes('no-key-get'))
  })

  it('waits for a reset after Retry-After', async () => {
    const startSeconds = Date.parse('2026-11-20T12:00:05Z') / 1000
    const createLimitHeaders = (remaining: number): Record<string, string> => ({
      'x-ratelimit-limit': '2',
      'x-ratelimit-remaining': String(remaining),
      'x-ratelimit-reset': String(startSeconds + 100),
    })
    const lateOptions = respondToThrottleKey((n) =>
      n === 2
        ? new Response('', { status: 429, headers: { ...createLimitHeaders(0), 'retry-after': '5' } })
        : Response.json([], { headers: createLimitHeaders(1) }),
    )
    const exchanges = await recordExchanges('exhaust', lateOptions)
    const [, rejection, after, reset] = exchanges.filter(({ credential }) => credential === 'throttle-key')
    assert.deepEqual([after?.id, reset?.id], ['after-burn', 'after-reset'])
    assert.ok((after?.at ?? 0) - (rejection?.at ?? 0) < 10_000)
    assert.ok((reset?.at ?? 0) >= 101_000)
  })

  it('ends the run if the key stays rate-limited', async () => {
    const alwaysLimitedOptions = respondToThrottleKey((n) =>
      n === 1 ? createServed('1') : createRejected('1'),
    )
    const transcript = await record(createOptions('exhaust', alwaysLimitedOptions))
    assert.equal(transcript.exchanges.at(-1)?.id, 'after-burn')
    assert.match(transcript.endedEarly ?? '', /429/)
  })
})

describe('a conformance report', () => {
  it('can be read again, whatever the deployment returns', async () => {
    for (const [name, make] of Object.entries(createHostileBodies(3_000))) {
      const body = make(createDraw(1), mainKey).slice(0, 3000)
      const transcript = await record(
        createOptions('create', () => async () => new Response(body, { status: 201 })),
      )
      const reportJson = JSON.stringify(judge(transcript))
      assert.ok(!reportJson.includes(mainKey), name)
      assert.ok(judge(readReport(reportJson)).rules.length > 0, name)
    }
  })

  it('is not affected when the computer sleeps', async () => {
    const [start, standby] = [Date.parse('2026-11-20T12:00:00Z'), 5 * 3600 * 1000]
    let time = start
    const clock = { now: () => time, elapsed: () => 0, sleep: async () => {} }
    let requests = 0
    const fetch = () => {
      if (++requests === 5) time += standby
      const resetTime = String(Math.floor(time / 1000) + 60)
      const limits = {
        'x-ratelimit-limit': '60',
        'x-ratelimit-remaining': '59',
        'x-ratelimit-reset': resetTime,
      }
      return Response.json([], { headers: limits })
    }
    const report = await runConformance({ baseUrl: 'http://a.test/v1', apiKey: 'a-key', fetch, clock })
    const verdict = report.rules.find(({ id }) => id === 'RATE-6')?.verdict
    assert.deepEqual([verdict, report.startedAt, report.durationMs], ['pass', '2026-11-20T12:00:00.000Z', 0])
  })
})

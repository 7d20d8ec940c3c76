import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { judge } from './judge/judge.ts'
import { readTranscript, writeTranscript } from './judge/saved-transcript.ts'
import { exitCode } from './report/outcome.ts'
import type { ReportExchange } from './report/report.ts'
import type { RunOptions } from './run/options.ts'
import { record } from './run/record.ts'
import { runConformance } from './run-conformance.ts'
import type { Profile } from './steps/profile.ts'
import { initially } from './testing/deployments/change.ts'
import type { Handler } from './testing/deployments/deployment.ts'
import { trialOptions } from './testing/deployments/trial.ts'
import { mainKey, seedAnimals, throttleKey } from './testing/deployments/world.ts'
import { createDraw, hostileBodies } from './testing/hostile-bodies.ts'
import { isInvalid } from './transcript/creations.ts'
import type { Exchange } from './transcript/transcript.ts'

/** Options for a run against the reference deployment, or against a wrapper of it. */
function options(profile: Profile, around = (handler: Handler): Handler => handler): RunOptions {
  const conforming = trialOptions({ does: 'conforms' }, profile)
  return { ...conforming, fetch: around(conforming.fetch) }
}

const sent = async (profile: Profile, around?: (handler: Handler) => Handler): Promise<readonly Exchange[]> =>
  (await record(options(profile, around))).exchanges

const responding =
  (when: (request: Request) => boolean, instead: () => Response | Promise<Response>) =>
  (handler: Handler): Handler =>
  async (request) =>
    when(request) ? instead() : handler(request)

type Sent = Pick<ReportExchange, 'id' | 'request'>
const posts = <One extends Sent>(exchanges: readonly One[]): readonly One[] =>
  exchanges.filter(({ request }) => request.method === 'POST')
const ids = (exchanges: readonly Sent[]): readonly string[] => exchanges.map(({ id }) => id)
const always = (): boolean => true

describe('the requests of a run', () => {
  it('change nothing in read, and are at most 40', async () => {
    const exchanges = await sent('read')
    assert.ok(exchanges.length <= 40)
    assert.ok(exchanges.every(({ request }) => request.method === 'GET'))
  })

  for (const profile of ['create', 'all'] as const) {
    for (const [name, count] of [
      ['many animals', 110],
      ['no animals', 0],
      ['12 available animals', 12],
    ] as const) {
      it(`include the ones of read in ${profile}, on a store of ${name}`, async () => {
        const animals = seedAnimals(count).map((one) =>
          count === 12 ? { ...one, status: 'available' } : one,
        )
        const start = (of: Profile): RunOptions => trialOptions({ does: '', ...initially({ animals }) }, of)
        const [read, whole] = [await record(start('read')), await record(start(profile))]
        const sentIds = ids(whole.exchanges)
        const others = ids(read.exchanges).filter((id) => !sentIds.includes(id))
        assert.deepEqual(others, count === 110 ? [] : count === 0 ? ['get-word'] : ['list-status-1'])
        assert.ok(profile === 'all' || sentIds.length <= 80, `${sentIds.length} requests`)
        if (count === 110) assert.ok(sentIds.indexOf('get-last') < sentIds.indexOf('create-available'))
      })
    }
  }

  it('include every step once, and steps without a key last', async () => {
    const exchanges = await sent('all')
    assert.equal(new Set(ids(exchanges)).size, exchanges.length)
    const gets = exchanges.filter(({ request }) => request.method === 'GET')
    const credentials = gets.map(({ credential }) => credential)
    const keyless = credentials.indexOf('throttle-key-longer')
    assert.ok(credentials.lastIndexOf('key') < keyless)
    assert.ok(credentials.lastIndexOf('throttle-key') < keyless)
    assert.ok(credentials.slice(credentials.indexOf('none')).every((credential) => credential === 'none'))
  })

  it('have ordinary names that are short, with the marker of the run', async () => {
    const { marker, exchanges } = await record(options('all'))
    const names = posts(exchanges)
      .filter(
        ({ id }) =>
          !['create-unusual-name', 'create-escapes-name', 'create-nul-name', 'create-again'].includes(id),
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

  it('have at most 12 accepted invalid bodies, at most 26 animals', async () => {
    let created = 0
    const lax = responding(
      (request) => request.method === 'POST' && request.url.endsWith('/pets'),
      () => Response.json({ id: 5000 + ++created, name: 'Pet', categoryId: 1 }, { status: 201 }),
    )
    const { rules, exchanges } = await runConformance(options('create', lax))
    assert.equal(exchanges.filter(({ id, request }) => request.method === 'POST' && isInvalid(id)).length, 12)
    assert.ok(created <= 26)
    const open = rules.filter(({ id, verdict }) => /^CREATE-(9|1\d|20)$/.test(id) && verdict !== 'fail')
    assert.deepEqual(open, [])
    const last = rules.find(({ id }) => id === 'CREATE-27')
    assert.equal(last?.verdict, 'not-run')
    assert.match(last.reason, /12 invalid bodies were accepted: no more were sent/)
  })

  it('are at most 80 in create, with 14 valid bodies', async () => {
    let requests = 0
    const slow =
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
        const old = Array.isArray(pets) ? pets.filter(({ id }) => id < 1000) : pets
        return Response.json(old, response)
      }
    const { exchanges, rules } = await runConformance(options('create', slow))
    const sentIds = ids(exchanges)
    assert.ok(posts(exchanges).filter(({ id }) => !isInvalid(id)).length <= 14)
    assert.ok(requests === sentIds.length && requests <= 80)
    for (const id of ['create-small-category', 'list-sold-again', 'get-created-again', 'unknown-key-create'])
      assert.ok(sentIds.includes(id), id)
    assert.equal(rules.find(({ id }) => id === 'AUTH-13')?.verdict, 'pass')
    const last = rules.find(({ id }) => id === 'ERR-7')
    assert.equal(last?.verdict, 'not-run')
    assert.match(last.reason, /the bound of 80 requests left no room for path-unknown/)
  })
})

describe('a run', () => {
  it('rejects an unknown rule before anything is sent', async () => {
    for (const name of ['only', 'skip']) {
      const run = { ...options('read'), [name]: ['LIST-99'], onStart: () => assert.fail('the run began') }
      await assert.rejects(
        runConformance(run),
        new RegExp(`^TypeError: ${name} names the unknown rule "LIST-99"`),
      )
    }
  })

  it('ends after three requests in a row without a response', async () => {
    const gone = responding(always, () => Promise.reject(new Error('gone')))
    const report = await runConformance(options('read', gone))
    assert.equal(report.requests, 3)
    assert.match(report.endedEarly ?? '', /gone/)
    assert.equal(exitCode(report), 3)
  })

  it('goes on after single lost responses, and sends nothing twice', async () => {
    const urls: string[] = []
    const flaky =
      (handler: Handler): Handler =>
      async (request) => {
        urls.push(`${request.method} ${request.url}`)
        return urls.length % 3 === 0 ? Promise.reject(new Error('reset')) : handler(request)
      }
    const transcript = await record(options('create', flaky))
    assert.equal(transcript.endedEarly, undefined)
    assert.equal(urls.length, transcript.exchanges.length)
  })

  it('sends no further request with a key that was rejected', async () => {
    for (const status of [401, 403]) {
      const rejecting = responding(always, () =>
        Response.json({ code: 'e', message: 'No.', status }, { status }),
      )
      const report = await runConformance(options('create', rejecting))
      assert.equal(report.exchanges.filter(({ id }) => id.startsWith('list')).length, 1)
      assert.ok(report.exchanges.some(({ id }) => id === 'no-key-create'))
      assert.match(report.endedEarly ?? '', /rejected/)
      assert.equal(report.rules.find(({ id }) => id === 'LIST-1')?.verdict, 'inconclusive')
      const lists = report.rules.filter(({ id }) => id.startsWith('LIST'))
      assert.equal(exitCode({ ...report, rules: lists }, { allowInconclusive: true }), 3)
    }
  })

  it('ends early at maxRequests, and undecided rules are not-run', async () => {
    const report = await runConformance({ ...options('read'), maxRequests: 5 })
    assert.equal(report.requests, 5)
    assert.match(report.endedEarly ?? '', /budget of 5 requests/)
    assert.equal(report.rules.find(({ id }) => id === 'GET-1')?.verdict, 'not-run')
    assert.equal(report.rules.find(({ id }) => id === 'LIST-8')?.verdict, 'pass')
    assert.equal(exitCode(report, { allowInconclusive: true }), 3)
  })
})

const burnt = (exchanges: readonly Exchange[]): readonly Exchange[] =>
  exchanges.filter(({ id, credential }) => id.includes('burn') && credential === 'throttle-key')
const throttled = (say: (n: number) => Response) => {
  let n = 0
  return responding(
    (request) => request.headers.get('authorization') === `Bearer ${throttleKey}`,
    () => say(++n),
  )
}
const served = (remaining: string): Response =>
  Response.json([], { headers: { 'x-ratelimit-remaining': remaining } })
const rejected = (retryAfter: string): Response =>
  new Response('', { status: 429, headers: { 'retry-after': retryAfter } })

describe('a burn', () => {
  it('ends with its first 429, and retries after the wait', async () => {
    const exchanges = burnt(await sent('exhaust'))
    const [rejection, after] = exchanges.slice(-2)
    assert.equal(after?.id, 'after-burn')
    assert.ok(rejection?.outcome.kind === 'response' && rejection.outcome.response.status === 429)
    assert.ok(after?.outcome.kind === 'response' && after.outcome.response.status === 200)
    const wait = rejection.outcome.response.headers.find(([name]) => name === 'retry-after')?.[1]
    assert.ok(after.at - rejection.at >= Number(wait) * 1000 + 1000)
  })

  for (const [sentence, respond, count] of [
    ['sends at most twice the first remaining number and ten', () => served('7'), 24],
    ['sends at most 500 requests', () => served('100000'), 500],
    ['stops immediately without a remaining number', () => served('many'), 1],
    ['stops immediately without a success', () => new Response('', { status: 401 }), 1],
    ['stops immediately behind a gateway', () => new Response('', { status: 503 }), 1],
    ['waits no longer than five minutes', (n) => (n === 1 ? served('1') : rejected('301')), 2],
    ['does not wait without a time', (n) => (n === 1 ? served('1') : rejected('soon')), 2],
  ] as readonly (readonly [string, (n: number) => Response, number])[]) {
    it(`${sentence}`, async () => {
      const exchanges = await sent('exhaust', throttled(respond))
      assert.equal(burnt(exchanges).length, count)
      assert.ok(ids(exchanges).includes('no-key-list'))
    })
  }

  it('sends the requests that maxRequests leaves', async () => {
    for (const maxRequests of [50, 700]) {
      const lavish = throttled(() => served('100000'))
      const { exchanges } = await record({ ...options('exhaust', lavish), maxRequests })
      assert.equal(exchanges.length, maxRequests)
      assert.ok(burnt(exchanges).length > maxRequests - 40)
    }
  })

  it('does not end the run if the first key gets a 429 after it', async () => {
    let wasThrottled = false
    const isShared = (request: Request): boolean => {
      const isMain = request.headers.get('authorization') === `Bearer ${mainKey}`
      wasThrottled ||= request.headers.get('authorization') === `Bearer ${throttleKey}`
      return isMain && wasThrottled
    }
    const shared = responding(isShared, () => rejected('1'))
    const exchanges = await sent('exhaust', shared)
    const at = ids(exchanges).indexOf('list-after-burn')
    assert.match(exchanges[at - 1]?.id ?? '', /^burn-/)
    assert.equal(exchanges[at + 1]?.id, 'after-burn')
    assert.ok(ids(exchanges).includes('no-key-get'))
  })

  it('waits for Reset if that is later than Retry-After', async () => {
    const start = Date.parse('2026-11-20T12:00:05Z') / 1000
    const standing = (remaining: number): Record<string, string> => ({
      'x-ratelimit-limit': '2',
      'x-ratelimit-remaining': String(remaining),
      'x-ratelimit-reset': String(start + 100),
    })
    const late = throttled((n) =>
      n === 2
        ? new Response('', { status: 429, headers: { ...standing(0), 'retry-after': '5' } })
        : Response.json([], { headers: standing(1) }),
    )
    const exchanges = await sent('exhaust', late)
    const [, rejection, after, reset] = exchanges.filter(({ credential }) => credential === 'throttle-key')
    assert.deepEqual([after?.id, reset?.id], ['after-burn', 'after-reset'])
    assert.ok((after?.at ?? 0) - (rejection?.at ?? 0) < 10_000)
    assert.ok((reset?.at ?? 0) >= 101_000)
  })

  it('ends the run if a second 429 follows its wait', async () => {
    const always = throttled((n) => (n === 1 ? served('1') : rejected('1')))
    const transcript = await record(options('exhaust', always))
    assert.equal(transcript.exchanges.at(-1)?.id, 'after-burn')
    assert.match(transcript.endedEarly ?? '', /429/)
  })
})

describe('a run with an unusual peer', () => {
  it('ends without a key in its transcript against hostile bodies', async () => {
    for (const [name, make] of Object.entries(hostileBodies(3_000))) {
      const body = make(createDraw(1), mainKey).slice(0, 3000)
      const transcript = await record(
        options('create', () => async () => new Response(body, { status: 201 })),
      )
      const written = writeTranscript(readTranscript(writeTranscript(transcript)))
      assert.ok(!written.includes(mainKey), name)
      assert.ok(judge(transcript).rules.length > 0, name)
    }
  })

  it('has correct times on a laptop that slept', async () => {
    const [start, standby] = [Date.parse('2026-11-20T12:00:00Z'), 5 * 3600 * 1000]
    let time = start
    const clock = { now: () => time, elapsed: () => 0, sleep: async () => {} }
    let requests = 0
    const fetch = () => {
      if (++requests === 5) time += standby
      const reset = String(Math.floor(time / 1000) + 60)
      const limits = { 'x-ratelimit-limit': '60', 'x-ratelimit-remaining': '59', 'x-ratelimit-reset': reset }
      return Response.json([], { headers: limits })
    }
    const report = await runConformance({ baseUrl: 'http://a.test/v1', key: 'a-key', fetch, clock })
    const verdict = report.rules.find(({ id }) => id === 'RATE-6')?.verdict
    assert.deepEqual([verdict, report.startedAt, report.durationMs], ['pass', '2026-11-20T12:00:00.000Z', 0])
  })
})

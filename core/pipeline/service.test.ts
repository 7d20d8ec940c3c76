import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ApiError, type ErrorCode, LimiterUnavailable, StoreUnavailable } from '../http/errors.ts'
import type { Caller, KeyStore } from '../keys/auth.ts'
import type { RateLimiter } from '../limits/bucket.ts'
import { createMemoryLimiter } from '../limits/memory-limiter.ts'
import type { PlanLimits } from '../limits/plans.ts'
import { createMemoryStore } from '../pets/memory-store.ts'
import type { PetQuery } from '../pets/store.ts'
import {
  type Asked,
  ask,
  codeOf,
  fail,
  type Received,
  received,
  remainingOf,
  serviceRequest,
} from '../testing/service-request.ts'
import { stubStore } from '../testing/stub-store.ts'
import { membersLate } from '../testing/thenable.ts'
import { epoch } from '../testing/traffic.ts'
import type { ResponseEvent } from './events.ts'
import { internalsOf } from './for-mounts.ts'
import type { ServiceOptions } from './options.ts'
import { createPetService, type PetService } from './service.ts'

const caller: Caller = { id: 'zoo', plan: 'free', limits: { minute: 60, day: 1_000 } }
const keys: KeyStore = { find: (token) => (token === 'good' ? caller : undefined) }
const keyed = { authorization: 'Bearer good' }
const addRex = { method: 'POST', headers: keyed, body: '{"name":"Rex","categoryId":1}' } as const
/** A store whose pages the service makes from `list`. */
const { page: _, ...listing } = createMemoryStore()
const peer = { client: '192.0.2.1', header: () => undefined }

const make = (options: Partial<ServiceOptions> = {}): PetService =>
  createPetService({ keys, clock: () => epoch, ...options })

const list = { headers: keyed }
const getPet = { target: '/v1/pets/1', headers: keyed }

function assertNumbers({ headers }: Received): void {
  for (const name of ['limit', 'remaining', 'reset'])
    assert.match(headers.get(`x-ratelimit-${name}`) ?? '', /^\d+$/)
}

/** A limiter whose methods throw. */
const failing = (cause: unknown): RateLimiter => ({ consume: () => fail(cause), peek: () => fail(cause) })

describe('the service', () => {
  it('returns without a promise if its parts do', () => {
    for (const asked of [list, getPet]) assert.ok(!(make().handle(serviceRequest(asked)) instanceof Promise))
  })

  it('waits for parts that return any thenable', async () => {
    const service = make({
      ...membersLate({ keys, limiter: createMemoryLimiter({ clock: () => epoch }), store: listing }),
      validate: async ({ name, status }) =>
        name === 'Max' && status === 'available' ? ['"name" must not be Max'] : [],
    })
    assert.equal((await ask(service, addRex)).status, 201)
    const rejected = await ask(service, { ...addRex, body: '{"name":"Max","categoryId":1}' })
    assert.deepEqual([rejected.status, codeOf(rejected)], [400, 'invalid_pet'])
    assert.match(rejected.text, /\\"name\\" must not be Max/)
    assert.equal((await ask(service, getPet)).status, 200)
    assert.equal(remainingOf(await ask(service, list)), '56')
  })

  it('sends the page of a store that writes JSON as it is, by the query of each request, with a link to the next', async () => {
    const queries: PetQuery[] = []
    const json = '[{"id":9007199254740993}]'
    const page = (query: PetQuery) => {
      queries.push({ ...query })
      Object.assign(query, { limit: 0 }) // whatever the store does with it
      return { json, next: query.status && 2n ** 53n + 1n }
    }
    const service = make({ store: stubStore({ page, list: () => assert.fail('not to be called') }) })
    const next = '</v1/pets?limit=20&status=sold&after=9007199254740993>; rel="next"'
    for (const [query, expected, link] of [
      ...[1, 2].map(() => ['limit=7&after=3', { limit: 7, after: 3n }, undefined] as const),
      ['status=sold', { limit: 20, status: 'sold' }, next] as const,
    ]) {
      const { status, text, headers } = await ask(service, { target: `/v1/pets?${query}`, headers: keyed })
      assert.deepEqual([status, text, headers.get('link')], [200, json, link])
      assert.deepEqual(queries.at(-1), expected)
    }
    assert.equal((await ask(service, { target: '/v1/pets?limit=0', headers: keyed })).status, 400)
    assert.equal(queries.length, 3)
  })

  it('uses its clock for the limits and for the removal of getPet', async () => {
    let now = Date.UTC(2030, 11, 5) - 1
    const service = make({ clock: () => now })
    const before = await ask(service, getPet)
    const reset = before.headers.get('x-ratelimit-reset')
    assert.deepEqual([before.status, reset], [404, `${(now + 1) / 1000 + 60}`])
    now += 1
    assert.equal(codeOf(await ask(service, getPet)), 'operation_removed')
    assert.equal((await ask(make({ clock: () => now, removal: 'manual' }), getPet)).status, 404)
  })

  it('owns what is below its base path', () => {
    const owned = ['/v1', '/v1/', '/v1/pets', '/v1?x', 'http://other.example/v1/pets']
    const foreign = ['/', '/v2/pets', '/v1x', '/pets', '*', '', 'http://other.example/', 'http://v1/pets']
    const { owns, basePath } = make()
    assert.equal(basePath, '/v1')
    for (const target of owned) assert.ok(owns(target), target)
    for (const target of foreign) assert.ok(!owns(target), target)
    for (const target of [...owned, '/', '/pets']) assert.ok(make({ basePath: '' }).owns(target), target)
  })
})

const failures: readonly (readonly [how: string, cause: unknown, status: number, code: string])[] = [
  ['fails', new Error('disk on fire'), 500, 'internal_error'],
  ['throws what is no error', 'disk on fire', 500, 'internal_error'],
  ['is not available', new StoreUnavailable('down', { retryAfterSeconds: 7 }), 503, 'service_unavailable'],
]

const broken: readonly (readonly [
  part: string,
  (cause: unknown) => Partial<ServiceOptions>,
  asked: Asked,
])[] = [
  ['a store that lists', (cause) => ({ store: stubStore({ list: () => fail(cause) }) }), list],
  ['a store that creates', (cause) => ({ store: stubStore({ create: () => fail(cause) }) }), addRex],
  ['a store that fetches', (cause) => ({ store: stubStore({ get: () => fail(cause) }) }), getPet],
  ['a key store', (cause) => ({ keys: { find: () => fail(cause) } }), list],
  ['a limiter', (cause) => ({ limiter: failing(cause) }), list],
  ['a validation', (cause) => ({ validate: () => fail(cause) }), addRex],
]

describe('a part that fails', () => {
  for (const [part, breakIt, asked] of broken) {
    for (const [how, cause, status, code] of failures) {
      for (const when of ['at once', 'later'] as const) {
        it(`as ${part} which ${how} ${when} is a ${status}, and only onError receives the cause`, async () => {
          const causes: unknown[] = []
          const options = when === 'later' ? membersLate(breakIt(cause)) : breakIt(cause)
          const response = await ask(make({ ...options, onError: (thrown) => causes.push(thrown) }), asked)
          assert.deepEqual([response.status, codeOf(response), causes], [status, code, [cause]])
          assert.doesNotMatch(response.text, /fire|down/)
          assert.equal(response.headers.get('retry-after'), status === 503 ? '7' : undefined)
          assertNumbers(response)
        })
      }
    }
  }

  it('to decide in time leaves numbers that admit nothing before the retry', async () => {
    const limiter = failing(new LimiterUnavailable('down'))
    const { status, headers } = await ask(make({ limiter }), list)
    assert.deepEqual([status, headers.get('x-ratelimit-limit'), remainingOf({ headers })], [503, '60', '0'])
    assert.equal(headers.get('x-ratelimit-reset'), String(epoch / 1000 + Number(headers.get('retry-after'))))
  })

  const nothing = () => undefined as never // what a part without types may return
  const undecided: RateLimiter = { consume: nothing, peek: nothing }
  const unlawful: readonly (readonly [what: string, options: Partial<ServiceOptions>, asked: Asked])[] = [
    ['a limiter without a decision', { limiter: undecided }, list],
    ['a limiter without a decision elsewhere', { limiter: undecided }, { target: '/elsewhere' }],
    ['a store without a list', { store: stubStore({ list: nothing }) }, list],
    ['a store without a pet', { store: stubStore({ create: nothing }) }, addRex],
    ['a validation without a list', { validate: nothing }, addRex],
  ]
  for (const [what, options, asked] of unlawful)
    it(`its contract, as ${what} is a 500 and has no further effect`, async () => {
      for (const given of [options, membersLate(options)]) {
        const causes: unknown[] = []
        const response = await ask(make({ ...given, onError: (cause) => causes.push(cause) }), asked)
        assert.deepEqual([response.status, codeOf(response)], [500, 'internal_error'])
        assert.ok(causes.length > 0)
        assertNumbers(response)
      }
    })
})

const callers: readonly (readonly [
  plan: string,
  limits: PlanLimits | undefined,
  limit: string | undefined,
])[] = [
  ['pro', undefined, '300'],
  ['pro', { minute: 8, day: 80 }, '8'],
  ['enterprise', { minute: 7, day: 70 }, '7'],
  ['enterprise', undefined, undefined],
  ['gold', undefined, undefined],
]
for (const [plan, limits, limit] of callers)
  it(`a caller of the plan ${plan} with ${limits ? 'limits' : 'none'} ${limit ? `has ${limit}` : 'is a 500'}`, async () => {
    const causes: unknown[] = []
    const found = { id: 'x', plan, limits } as Caller // what a database may hold
    const service = make({ keys: { find: () => found }, onError: (cause) => causes.push(cause) })
    const { status, headers } = await ask(service, list)
    if (limit) assert.equal(headers.get('x-ratelimit-limit'), limit)
    else assert.match(`${status} ${causes}`, /^500 TypeError: the caller "x" needs limits: \{ minute, day \}/)
  })

describe('a hook', () => {
  it('receives an event for every response, without key, body or target', async () => {
    const events: ResponseEvent[] = []
    let id = 0
    const service = make({ onResponse: (event) => events.push(event), requestId: () => `r${++id}` })
    const added = await ask(service, addRex)
    await ask(service, { target: '/v1/pets/9', client: '192.0.2.9' })
    await internalsOf(service).rejectUnparsed(new ApiError('headers_too_large'), peer)
    assert.equal(added.headers.get('x-request-id'), 'r1')
    for (const { durationMs, decision } of events) assert.ok(durationMs >= 0 && decision.remaining === 59)
    const seen = events.map(({ operation, method, status, code, caller, client, requestId }) => [
      ...[operation, method, status, code, caller, client, requestId],
    ])
    assert.deepEqual(seen, [
      ['createPet', 'POST', 201, undefined, 'zoo', '192.0.2.1', 'r1'],
      ['getPet', 'GET', 401, 'missing_api_key', undefined, '192.0.2.9', 'r2'],
      [undefined, undefined, 431, 'headers_too_large', undefined, '192.0.2.1', 'r3'],
    ])
    const members = ['operation', 'method', 'status', 'code', 'durationMs', 'caller', 'decision', 'requestId']
    assert.deepEqual(Object.keys(events[0] ?? {}), members)
  })

  for (const [how, hook] of [
    ['throws', () => fail('hook')],
    ['rejects', () => Promise.reject('hook') as never], // an async function where none is meant
  ] as const)
    it(`that ${how} changes no response, and onError receives the cause, also if it ${how} itself`, async () => {
      const causes: unknown[] = []
      const service = make({ onResponse: hook, onError: (cause) => causes.push(cause) })
      assert.equal((await ask(service, list)).status, 200)
      await Promise.resolve()
      assert.deepEqual(causes, ['hook'])
      const broken = make({ store: { ...listing, list: () => fail('disk') }, onError: hook })
      assert.equal((await ask(broken, list)).status, 500)
    })

  const ids = ['a\nb', 'a\r\nSet-Cookie: b', 'ü', '\0', ''].map(
    (id) => [JSON.stringify(id), () => id] as const,
  )
  for (const [what, requestId] of [
    ...ids,
    ['nothing, since it throws,', () => fail('options.requestId')] as const,
  ]) {
    it(`for request ids that returns ${what} adds no header, and onError receives the cause`, async () => {
      const causes: unknown[] = []
      const service = make({ requestId, onError: (cause) => causes.push(cause) })
      const { status, headers } = await ask(service, list)
      assert.deepEqual([status, headers.has('x-request-id')], [200, false])
      assert.match(String(causes), /^(?:TypeError: options\.requestId must return ASCII|options\.requestId)$/)
    })
  }
})

it('no response is stored by caches, nor guessed at by browsers, but one from elsewhere as it says', async () => {
  const origin = 'https://page.example'
  const service = make({ cors: [origin] })
  const preflight = { method: 'OPTIONS', headers: { origin, 'access-control-request-method': 'GET' } }
  for (const [status, response] of [
    [200, ask(service, list)],
    [401, ask(service)],
    [400, ask(service, { headers: { host: undefined } })],
    [404, ask(service, { target: '/' })],
    [204, ask(service, preflight)],
    [431, received(internalsOf(service).rejectUnparsed(new ApiError('headers_too_large'), peer))],
  ] as const) {
    const { headers, status: found } = await response
    const caching = ['cache-control', 'x-content-type-options'].map((name) => headers.get(name))
    assert.deepEqual([found, ...caching], [status, 'no-store', 'nosniff'])
  }
  const page = { status: 200, headers: ['Cache-Control', 'max-age=60'], body: '{}' }
  const { headers } = await internalsOf(make()).withRateLimit(page, peer)
  assert.deepEqual(headers.slice(0, 3), ['Cache-Control', 'max-age=60', 'X-RateLimit-Limit'])
})

it('the internals of a service are those of a copy of it, too, and nothing else has any', () => {
  const service = make()
  assert.equal(internalsOf({ ...service }), internalsOf(service))
  for (const value of [undefined, null, {}, () => {}, 'service'])
    assert.throws(() => internalsOf(value), /^TypeError: .+ is no service: create it with createPetService$/)
})

describe('responses to a client address', () => {
  const unparsed = (service: PetService, code: ErrorCode = 'invalid_request') =>
    received(internalsOf(service).rejectUnparsed(new ApiError(code), peer))

  it('charge it for requests that could not be parsed, and never ban it, since it gets no 429', async () => {
    let now = epoch
    const clock = () => now
    const service = make({ clock, limiter: createMemoryLimiter({ clock }) })
    for (let i = 0; i < 300; i++, now += 150) {
      const response = await unparsed(service, i === 1 ? 'request_timeout' : 'invalid_request')
      assert.equal(response.status, i === 1 ? 408 : 400)
      if (i < 2 || i === 100) assert.equal(remainingOf(response), ['59', '58'][i] ?? '0')
    }
    for (let i = 0; i < 60; i++) await ask(service)
    assert.equal(codeOf(await ask(service)), 'rate_limit_exceeded')
  })

  it('from elsewhere show its numbers, also while the limiter fails, and charge nothing', async () => {
    const service = make()
    await unparsed(service)
    const page = { status: 204, headers: ['X-Own', 'yes'], body: undefined }
    for (let i = 0; i < 3; i++) {
      const { status, headers } = await received(internalsOf(service).withRateLimit(page, peer))
      assert.deepEqual([status, headers.get('x-own'), remainingOf({ headers })], [204, 'yes', '59'])
    }
    const failed = make({ limiter: failing(new LimiterUnavailable('down')) })
    assertNumbers(await received(internalsOf(failed).withRateLimit(page, peer)))
  })
})

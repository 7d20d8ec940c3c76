import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ApiError, type ErrorCode, LimiterUnavailable, StoreUnavailable } from '../http/errors.ts'
import type { Caller, KeyStore } from '../keys/auth.ts'
import type { Decision, RateLimiter } from '../limits/bucket.ts'
import { createMemoryLimiter } from '../limits/memory-limiter.ts'
import { createMemoryStore } from '../pets/memory-store.ts'
import type { Pet } from '../pets/pet.ts'
import type { PetQuery, PetStore } from '../pets/store.ts'
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
import { thenable } from '../testing/thenable.ts'
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

const noDecision = () => undefined as unknown as Decision // what a limiter without types may return
const undecided: RateLimiter = { consume: noDecision, peek: noDecision }

describe('the service', () => {
  it('returns without a promise if its parts do', () => {
    for (const asked of [list, getPet]) assert.ok(!(make().handle(serviceRequest(asked)) instanceof Promise))
  })

  it('waits for parts that promise', async () => {
    const store = createMemoryStore()
    const limiter = createMemoryLimiter({ clock: () => epoch })
    const service = make({
      keys: { find: async (token) => keys.find(token) },
      limiter: {
        consume: async (...call) => limiter.consume(...call),
        peek: async (...call) => limiter.peek(...call),
      },
      store: {
        create: async (pet) => store.create(pet),
        get: async (id) => store.get(id),
        list: async (query) => store.list(query),
      },
      validate: async ({ name }) => (name === 'Max' ? ['"name" must not be Max'] : []),
    })
    assert.equal((await ask(service, addRex)).status, 201)
    const rejected = await ask(service, { ...addRex, body: '{"name":"Max","categoryId":1}' })
    assert.deepEqual([rejected.status, codeOf(rejected)], [400, 'invalid_pet'])
    assert.match(rejected.text, /\\"name\\" must not be Max/)
    assert.equal((await ask(service, getPet)).status, 200)
    assert.equal(remainingOf(await ask(service, list)), '56')
  })

  it('sends the page of a store that writes JSON as it is, and links to the next one', async () => {
    const queries: unknown[] = []
    const page = (query: PetQuery) => {
      queries.push(query)
      return { json: '[{"id":9007199254740993}]', next: query.status && 2n ** 53n + 1n }
    }
    const service = make({ store: stubStore({ page, list: () => assert.fail('not to be called') }) })
    const body = '[{"id":9007199254740993}]'
    const links = {
      'limit=7&after=3': undefined,
      'status=sold': '</v1/pets?limit=20&status=sold&after=9007199254740993>; rel="next"',
    }
    for (const [query, link] of Object.entries(links)) {
      const page = await ask(service, { target: `/v1/pets?${query}`, headers: keyed })
      assert.deepEqual([page.status, page.text, page.headers.get('link')], [200, body, link])
    }
    assert.equal((await ask(service, { target: '/v1/pets?limit=0', headers: keyed })).status, 400)
    assert.deepEqual(queries, [
      { limit: 7, after: 3n },
      { limit: 20, status: 'sold' },
    ])
  })

  it('hands its store the page that each request asks for, whatever the store does with the one before', async () => {
    const pages: PetQuery[] = []
    const page = (query: PetQuery) => {
      pages.push({ ...query })
      Object.assign(query, { limit: 0 })
      return { json: '[]', next: undefined }
    }
    const service = make({ store: stubStore({ page }) })
    for (const target of ['/v1/pets', '/v1/pets?limit=2', '/v1/pets?limit=2', '/v1/pets'])
      await ask(service, { target, headers: keyed })
    assert.deepEqual(
      pages.map(({ limit }) => limit),
      [20, 2, 2, 20],
    )
  })

  it('waits for any thenable', async () => {
    const pet: Pet = { id: 1n, name: 'Rex', categoryId: 1n }
    const service = make({
      keys: { find: () => thenable((resolve) => resolve(caller)) },
      store: {
        create: () => thenable((resolve) => resolve(pet)),
        get: () => thenable((resolve) => resolve(pet)),
        list: () => thenable((_, reject) => reject(new StoreUnavailable('down'))),
      },
    })
    assert.equal((await ask(service, addRex)).status, 201)
    assert.equal((await ask(service, getPet)).status, 200)
    assert.equal((await ask(service, list)).status, 503)
  })

  it('uses its clock for the limits and for the removal of getPet', async () => {
    let now = Date.UTC(2030, 11, 5) - 1
    const service = make({ clock: () => now })
    const before = await ask(service, getPet)
    assert.deepEqual(
      [before.status, before.headers.get('x-ratelimit-reset')],
      [404, `${(now + 1) / 1000 + 60}`],
    )
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
  ['a store that lists', (cause) => ({ store: { ...listing, list: () => fail(cause) } }), list],
  [
    'a store that creates',
    (cause) => ({ store: { ...createMemoryStore(), create: () => fail(cause) } }),
    addRex,
  ],
  [
    'a store that fetches',
    (cause) => ({ store: { ...createMemoryStore(), get: () => fail(cause) } }),
    getPet,
  ],
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
          const options = later(breakIt(cause), when)
          const response = await ask(make({ ...options, onError: (thrown) => causes.push(thrown) }), asked)
          assert.deepEqual([response.status, codeOf(response), causes], [status, code, [cause]])
          assert.doesNotMatch(response.text, /fire|down/)
          assert.equal(response.headers.get('retry-after'), status === 503 ? '7' : undefined)
          assertNumbers(response)
        })
      }
    }
  }

  /** Returns the same parts with methods that return promises. */
  function later(options: Partial<ServiceOptions>, when: 'at once' | 'later'): Partial<ServiceOptions> {
    return when === 'at once' ? options : membersLate(options)
  }

  function membersLate<T extends object>(parts: T): T {
    return Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, late(part)])) as T // only later
  }

  function late(part: unknown): unknown {
    if (typeof part === 'function') return async (...call: unknown[]) => part(...call)
    return typeof part === 'object' && part !== null ? membersLate(part) : part
  }

  it('to decide in time leaves numbers that admit nothing before the retry', async () => {
    const limiter = failing(new LimiterUnavailable('down'))
    const { status, headers } = await ask(make({ limiter }), list)
    assert.deepEqual([status, headers.get('x-ratelimit-limit'), remainingOf({ headers })], [503, '60', '0'])
    assert.equal(headers.get('x-ratelimit-reset'), String(epoch / 1000 + Number(headers.get('retry-after'))))
  })

  const unlawful: readonly (readonly [what: string, options: Partial<ServiceOptions>, asked: Asked])[] = [
    [
      'a caller of the plan enterprise without limits',
      { keys: { find: () => ({ id: 'x', plan: 'enterprise' }) } },
      { headers: keyed },
    ],
    ['a limiter without a decision', { limiter: undecided }, list],
    [
      'a limiter without a decision, outside the base path,',
      { limiter: undecided },
      { target: '/elsewhere' },
    ],
    [
      'a store without a list',
      { store: { list: () => undefined } as unknown as PetStore },
      { headers: keyed },
    ],
    ['a store without a pet', { store: { create: () => null } as unknown as PetStore }, addRex],
    ['a validation without a list', { validate: () => undefined as unknown as string[] }, addRex],
  ]
  for (const [what, options, asked] of unlawful) {
    for (const when of ['at once', 'later'] as const) {
      it(`its contract, as ${what} ${when}, is a 500 and has no further effect`, async () => {
        const causes: unknown[] = []
        const filled = {
          ...options,
          ...(options.store && { store: { ...listing, ...options.store } }),
        }
        const response = await ask(
          make({ ...later(filled, when), onError: (cause) => causes.push(cause) }),
          asked,
        )
        assert.deepEqual([response.status, codeOf(response)], [500, 'internal_error'])
        assert.ok(causes.length > 0)
        assertNumbers(response)
      })
    }
  }
})

describe('a caller', () => {
  const limitOf = async (found: Caller) => {
    const service = make({ keys: { find: () => found } })
    return (await ask(service, list)).headers.get('x-ratelimit-limit')
  }

  it('has the limits of its plan', async () => {
    assert.equal(await limitOf({ id: 'x', plan: 'pro' }), '300')
  })

  it('has the limits that the key store returns', async () => {
    assert.equal(await limitOf({ id: 'x', plan: 'enterprise', limits: { minute: 7, day: 70 } }), '7')
    assert.equal(await limitOf({ id: 'x', plan: 'pro', limits: { minute: 8, day: 80 } }), '8')
  })

  for (const plan of ['enterprise', 'gold']) {
    it(`without limits is a 500 with the plan ${plan}, and onError receives the id`, async () => {
      const causes: unknown[] = []
      const found = { id: 'x', plan } as Caller // what a database may hold
      const service = make({ keys: { find: () => found }, onError: (cause) => causes.push(cause) })
      assert.equal((await ask(service, list)).status, 500)
      assert.match(String(causes), /^TypeError: the caller "x" needs limits: \{ minute, day \}/)
    })
  }
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

  const hooks: readonly (readonly [how: string, hook: () => never])[] = [
    ['throws', () => fail('hook')],
    ['rejects', () => Promise.reject('hook') as never], // an async function where none is meant
  ]
  for (const [how, hook] of hooks) {
    it(`that ${how} changes no response, and onError receives the cause`, async () => {
      const causes: unknown[] = []
      const service = make({ onResponse: hook, onError: (cause) => causes.push(cause) })
      assert.equal((await ask(service, list)).status, 200)
      await Promise.resolve()
      assert.deepEqual(causes, ['hook'])
    })

    it(`for errors that ${how} changes no response`, async () => {
      const service = make({ store: { ...listing, list: () => fail('disk') }, onError: hook })
      assert.equal((await ask(service, list)).status, 500)
    })
  }

  for (const id of ['a\nb', 'a\r\nSet-Cookie: b', 'ü', '\0', '']) {
    it(`for request ids that returns ${JSON.stringify(id)} adds no header, and onError receives the cause`, async () => {
      const causes: unknown[] = []
      const service = make({ requestId: () => id, onError: (cause) => causes.push(cause) })
      const { status, headers } = await ask(service, list)
      assert.deepEqual([status, headers.has('x-request-id')], [200, false])
      assert.match(String(causes), /^TypeError: options\.requestId must return ASCII$/)
    })
  }

  it('for request ids that throws adds no header', async () => {
    const causes: unknown[] = []
    const service = make({ requestId: () => fail('hook'), onError: (cause) => causes.push(cause) })
    const { status, headers } = await ask(service, list)
    assert.deepEqual([status, headers.has('x-request-id'), causes], [200, false, ['hook']])
  })
})

describe('every response', () => {
  it('is not stored by caches, nor guessed at by browsers', async () => {
    const origin = 'https://page.example'
    const service = make({ cors: [origin] })
    const preflight = {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'GET' },
    }
    const responses = [
      ...[list, {}, { headers: { host: undefined } }, { target: '/' }, preflight].map((asked) =>
        ask(service, asked),
      ),
      received(internalsOf(service).rejectUnparsed(new ApiError('headers_too_large'), peer)),
    ]
    const statuses: number[] = []
    for (const { status, headers } of await Promise.all(responses)) {
      statuses.push(status)
      assert.deepEqual(
        [headers.get('cache-control'), headers.get('x-content-type-options')],
        ['no-store', 'nosniff'],
      )
    }
    assert.deepEqual(statuses, [200, 401, 400, 404, 204, 431])
  })

  it('from elsewhere has its own caching', async () => {
    const page = { status: 200, headers: ['Cache-Control', 'max-age=60'], body: '{}' }
    const { headers } = await internalsOf(make()).withRateLimit(page, peer)
    assert.deepEqual(headers.slice(0, 3), ['Cache-Control', 'max-age=60', 'X-RateLimit-Limit'])
  })
})

describe('the internals of a service', () => {
  it('are those of a copy of the service, too', () => {
    const service = make()
    assert.equal(internalsOf({ ...service }), internalsOf(service))
  })

  for (const value of [undefined, null, {}, () => {}, 'service']) {
    it(`are not those of ${typeof value === 'function' ? 'a function' : JSON.stringify(value)}`, () => {
      assert.throws(
        () => internalsOf(value),
        /^TypeError: .+ is no service: create it with createPetService$/,
      )
    })
  }
})

describe('responses to a client address', () => {
  const unparsed = (service: PetService, code: ErrorCode = 'invalid_request') =>
    received(internalsOf(service).rejectUnparsed(new ApiError(code), peer))

  it('never bans an address for requests that could not be parsed, since it gets no 429', async () => {
    let now = epoch
    const clock = () => now
    const service = make({ clock, limiter: createMemoryLimiter({ clock }) })
    for (let i = 0; i < 300; i++, now += 150) {
      const response = await unparsed(service)
      assert.equal(response.status, 400)
      if (i === 100) assert.equal(remainingOf(response), '0')
    }
    for (let i = 0; i < 60; i++) await ask(service)
    assert.equal(codeOf(await ask(service)), 'rate_limit_exceeded')
  })

  it('charges the address of a request that could not be parsed', async () => {
    const service = make()
    const first = await unparsed(service)
    const second = await unparsed(service, 'request_timeout')
    assert.deepEqual([first.status, remainingOf(first)], [400, '59'])
    assert.deepEqual([second.status, remainingOf(second)], [408, '58'])
  })

  it('shows the numbers of the address with responses from elsewhere, and charges nothing', async () => {
    const service = make()
    await unparsed(service)
    for (let i = 0; i < 3; i++) {
      const { status, headers } = await received(
        internalsOf(service).withRateLimit({ status: 204, headers: ['X-Own', 'yes'], body: undefined }, peer),
      )
      assert.deepEqual([status, headers.get('x-own'), remainingOf({ headers })], [204, 'yes', '59'])
    }
  })

  it('shows numbers also while the limiter fails', async () => {
    const service = make({ limiter: failing(new LimiterUnavailable('down')) })
    const response = await received(
      internalsOf(service).withRateLimit({ status: 200, headers: [], body: '{}' }, peer),
    )
    assert.equal(response.status, 200)
    assertNumbers(response)
  })
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { MaybePromise } from '../base/maybe-promise.ts'
import { ApiError, LimiterUnavailable, StoreUnavailable } from '../http/errors.ts'
import type { ServiceResponse } from '../http/http.ts'
import type { Caller, KeyStore } from '../keys/auth.ts'
import type { Decision, RateLimiter } from '../limits/bucket.ts'
import { createMemoryLimiter } from '../limits/memory-limiter.ts'
import { createMemoryStore } from '../pets/memory-store.ts'
import type { Pet } from '../pets/pet.ts'
import type { PetQuery, PetStore } from '../pets/store.ts'
import { type Asked, serviceRequest } from '../testing/service-request.ts'
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

interface Read {
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
  readonly body: { readonly code?: string; readonly message?: string; readonly status?: number }
  readonly at: 'once' | 'later'
}

async function ask(service: PetService, asked: Asked = { headers: keyed }): Promise<Read> {
  return read(service.handle(serviceRequest(asked)))
}

async function read(response: ServiceResponse | Promise<ServiceResponse>): Promise<Read> {
  const { status, headers, body = '{}' } = await response
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body)
  const pairs = headers.flatMap((name, i) =>
    i % 2 === 0 ? [[name.toLowerCase(), headers[i + 1] ?? ''] as const] : [],
  )
  return {
    status,
    headers: new Map(pairs),
    body: JSON.parse(text),
    at: response instanceof Promise ? 'later' : 'once',
  }
}

function assertNumbers({ headers }: Read): void {
  for (const name of ['limit', 'remaining', 'reset'])
    assert.match(headers.get(`x-ratelimit-${name}`) ?? '', /^\d+$/)
}

function fail(cause: unknown): never {
  throw cause
}

/** A limiter whose methods throw. */
const failing = (cause: unknown): RateLimiter => ({ consume: () => fail(cause), peek: () => fail(cause) })

const noDecision = () => undefined as unknown as Decision // what a limiter without types may return
const undecided: RateLimiter = { consume: noDecision, peek: noDecision }

describe('the service', () => {
  it('returns without a promise if its parts do', async () => {
    assert.equal((await ask(make())).at, 'once')
    assert.equal((await ask(make(), { target: '/v1/pets/7', headers: keyed })).at, 'once')
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
    assert.deepEqual([rejected.status, rejected.body.code], [400, 'invalid_pet'])
    assert.match(rejected.body.message ?? '', /"name" must not be Max/)
    assert.equal((await ask(service, { target: '/v1/pets/1', headers: keyed })).status, 200)
    const { at, status, headers } = await ask(service)
    assert.deepEqual([at, status, headers.get('x-ratelimit-remaining')], ['later', 200, '56'])
  })

  it('sends the page of a store that writes JSON as it is, and links to the next one', async () => {
    const queries: unknown[] = []
    const page = (query: PetQuery) => {
      queries.push(query)
      return { json: '[{"id":9007199254740993}]', next: query.status && 2n ** 53n + 1n }
    }
    const service = make({ store: stubStore({ page, list: () => assert.fail('not to be called') }) })
    const read = async (target: string) => {
      const { status, headers, body } = await service.handle(serviceRequest({ target, headers: keyed }))
      const link = headers[headers.indexOf('Link') + 1]
      return [status, body, headers.includes('Link') ? link : undefined]
    }
    const body = '[{"id":9007199254740993}]'
    assert.deepEqual(await read('/v1/pets?limit=7&after=3'), [200, body, undefined])
    assert.deepEqual(await read('/v1/pets?status=sold'), [
      200,
      body,
      '</v1/pets?limit=20&status=sold&after=9007199254740993>; rel="next"',
    ])
    assert.deepEqual(queries, [
      { limit: 7, after: 3n },
      { limit: 20, status: 'sold' },
    ])
    assert.equal(
      (await service.handle(serviceRequest({ target: '/v1/pets?limit=0', headers: keyed }))).status,
      400,
    )
    assert.equal(queries.length, 2)
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
    assert.equal((await ask(service, { target: '/v1/pets/1', headers: keyed })).status, 200)
    const listed = service.handle(serviceRequest({ headers: keyed }))
    assert.ok(listed instanceof Promise)
    assert.equal((await listed).status, 503)
  })

  it('uses its clock for the limits and for the removal of getPet', async () => {
    let now = Date.UTC(2030, 11, 5) - 1
    const service = make({ clock: () => now })
    const target = '/v1/pets/7'
    const before = await ask(service, { target, headers: keyed })
    assert.deepEqual(
      [before.status, before.headers.get('x-ratelimit-reset')],
      [404, `${(now + 1) / 1000 + 60}`],
    )
    now += 1
    const after = await ask(service, { target, headers: keyed })
    assert.deepEqual([after.status, after.body.code], [410, 'operation_removed'])
    assert.equal(after.headers.get('sunset'), 'Thu, 05 Dec 2030 00:00:00 GMT')
    assert.equal(
      (await ask(make({ clock: () => now, removal: 'manual' }), { target, headers: keyed })).status,
      404,
    )
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
  ['a store that lists', (cause) => ({ store: { ...listing, list: () => fail(cause) } }), { headers: keyed }],
  [
    'a store that creates',
    (cause) => ({ store: { ...createMemoryStore(), create: () => fail(cause) } }),
    addRex,
  ],
  [
    'a store that fetches',
    (cause) => ({ store: { ...createMemoryStore(), get: () => fail(cause) } }),
    { target: '/v1/pets/1', headers: keyed },
  ],
  ['a key store', (cause) => ({ keys: { find: () => fail(cause) } }), { headers: keyed }],
  ['a limiter', (cause) => ({ limiter: failing(cause) }), { headers: keyed }],
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
          assert.deepEqual(
            [response.status, response.body.code, response.body.status],
            [status, code, status],
          )
          assert.deepEqual(causes, [cause])
          assert.doesNotMatch(JSON.stringify(response.body), /fire|down/)
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
    const { status, headers } = await ask(make({ limiter }))
    assert.equal(status, 503)
    assert.equal(headers.get('x-ratelimit-limit'), '60')
    assert.equal(headers.get('x-ratelimit-remaining'), '0')
    assert.equal(headers.get('x-ratelimit-reset'), String(epoch / 1000 + Number(headers.get('retry-after'))))
  })

  const unlawful: readonly (readonly [what: string, options: Partial<ServiceOptions>, asked: Asked])[] = [
    [
      'a caller of the plan enterprise without limits',
      { keys: { find: () => ({ id: 'x', plan: 'enterprise' }) } },
      { headers: keyed },
    ],
    ['a limiter without a decision', { limiter: undecided }, { headers: keyed }],
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
        assert.deepEqual([response.status, response.body.code], [500, 'internal_error'])
        assert.ok(causes.length > 0)
        assertNumbers(response)
      })
    }
  }
})

describe('a caller', () => {
  const limitOf = async (found: Caller) => {
    const service = make({ keys: { find: () => found } })
    return (await ask(service)).headers.get('x-ratelimit-limit')
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
      const response = await ask(
        make({ keys: { find: () => found }, onError: (cause) => causes.push(cause) }),
      )
      assert.equal(response.status, 500)
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
    await read(internalsOf(service).rejectUnparsed(new ApiError('headers_too_large'), peer))
    assert.equal(added.headers.get('x-request-id'), 'r1')
    assert.deepEqual(
      events.map(({ durationMs, decision, client, ...rest }) => [
        { client, ...rest },
        durationMs >= 0,
        decision.remaining,
      ]),
      [
        [
          {
            operation: 'createPet',
            method: 'POST',
            status: 201,
            code: undefined,
            caller: 'zoo',
            client: '192.0.2.1',
            requestId: 'r1',
          },
          true,
          59,
        ],
        [
          {
            operation: 'getPet',
            method: 'GET',
            status: 401,
            code: 'missing_api_key',
            caller: undefined,
            client: '192.0.2.9',
            requestId: 'r2',
          },
          true,
          59,
        ],
        [
          {
            operation: undefined,
            method: undefined,
            status: 431,
            code: 'headers_too_large',
            caller: undefined,
            client: '192.0.2.1',
            requestId: 'r3',
          },
          true,
          59,
        ],
      ],
    )
  })

  const hooks: readonly (readonly [how: string, hook: () => never])[] = [
    ['throws', () => fail('hook')],
    ['rejects', () => Promise.reject('hook') as never], // an async function where none is meant
  ]
  for (const [how, hook] of hooks) {
    it(`that ${how} changes no response, and onError receives the cause`, async () => {
      const causes: unknown[] = []
      const service = make({ onResponse: hook, onError: (cause) => causes.push(cause) })
      assert.equal((await ask(service)).status, 200)
      await Promise.resolve()
      assert.deepEqual(causes, ['hook'])
    })

    it(`for errors that ${how} changes no response`, async () => {
      const service = make({ store: { ...listing, list: () => fail('disk') }, onError: hook })
      assert.equal((await ask(service)).status, 500)
    })
  }

  for (const id of ['a\nb', 'a\r\nSet-Cookie: b', 'ü', '\0', '']) {
    it(`for request ids that returns ${JSON.stringify(id)} adds no header, and onError receives the cause`, async () => {
      const causes: unknown[] = []
      const { status, headers } = await ask(
        make({ requestId: () => id, onError: (cause) => causes.push(cause) }),
      )
      assert.deepEqual([status, headers.has('x-request-id')], [200, false])
      assert.match(String(causes), /^TypeError: options\.requestId must return ASCII$/)
    })
  }

  it('for request ids that throws adds no header', async () => {
    const causes: unknown[] = []
    const { status, headers } = await ask(
      make({ requestId: () => fail('hook'), onError: (cause) => causes.push(cause) }),
    )
    assert.deepEqual([status, headers.has('x-request-id'), causes], [200, false, ['hook']])
  })
})

describe('every response', () => {
  const origin = 'https://page.example'
  const responses: readonly (readonly [
    what: string,
    status: number,
    (service: PetService) => MaybePromise<ServiceResponse>,
  ])[] = [
    ['a page', 200, (service) => service.handle(serviceRequest({ headers: keyed }))],
    ['an error', 401, (service) => service.handle(serviceRequest())],
    ['an error of HTTP', 400, (service) => service.handle(serviceRequest({ headers: { host: undefined } }))],
    ['a path outside the base path', 404, (service) => service.handle(serviceRequest({ target: '/' }))],
    [
      'a preflight',
      204,
      (service) =>
        service.handle(
          serviceRequest({ method: 'OPTIONS', headers: { origin, 'access-control-request-method': 'GET' } }),
        ),
    ],
    [
      'a request that could not be parsed',
      431,
      (service) => internalsOf(service).rejectUnparsed(new ApiError('headers_too_large'), peer),
    ],
  ]
  for (const [what, status, of] of responses) {
    it(`is not stored by caches, nor guessed at by browsers: ${what}`, async () => {
      const { headers, ...response } = await of(make({ cors: [origin] }))
      assert.equal(response.status, status)
      for (const [name, value] of [
        ['Cache-Control', 'no-store'],
        ['X-Content-Type-Options', 'nosniff'],
      ]) {
        assert.deepEqual(
          headers.flatMap((text, i) => (text === name ? [headers[i + 1]] : [])),
          [value],
        )
      }
    })
  }

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
  it('never bans an address for requests that could not be parsed, since it gets no 429', async () => {
    let now = epoch
    const clock = () => now
    const service = make({ clock, limiter: createMemoryLimiter({ clock }) })
    for (let i = 0; i < 300; i++, now += 150) {
      const { status, headers } = await read(
        internalsOf(service).rejectUnparsed(new ApiError('invalid_request'), peer),
      )
      assert.equal(status, 400)
      if (i === 100) assert.equal(headers.get('x-ratelimit-remaining'), '0')
    }
    for (let i = 0; i < 60; i++) await read(service.handle(serviceRequest({})))
    const { body } = await read(service.handle(serviceRequest({})))
    assert.equal(body.code, 'rate_limit_exceeded')
  })

  it('charges the address of a request that could not be parsed', async () => {
    const service = make()
    const first = await read(internalsOf(service).rejectUnparsed(new ApiError('invalid_request'), peer))
    const second = await read(internalsOf(service).rejectUnparsed(new ApiError('request_timeout'), peer))
    assert.deepEqual([first.status, first.headers.get('x-ratelimit-remaining')], [400, '59'])
    assert.deepEqual([second.status, second.headers.get('x-ratelimit-remaining')], [408, '58'])
  })

  it('shows the numbers of the address with responses from elsewhere, and charges nothing', async () => {
    const service = make()
    await read(internalsOf(service).rejectUnparsed(new ApiError('invalid_request'), peer))
    for (let i = 0; i < 3; i++) {
      const { status, headers } = await read(
        internalsOf(service).withRateLimit({ status: 204, headers: ['X-Own', 'yes'], body: undefined }, peer),
      )
      assert.deepEqual(
        [status, headers.get('x-own'), headers.get('x-ratelimit-remaining')],
        [204, 'yes', '59'],
      )
    }
  })

  it('shows numbers also while the limiter fails', async () => {
    const service = make({ limiter: failing(new LimiterUnavailable('down')) })
    const response = await read(
      internalsOf(service).withRateLimit({ status: 200, headers: [], body: '{}' }, peer),
    )
    assert.equal(response.status, 200)
    assertNumbers(response)
  })
})

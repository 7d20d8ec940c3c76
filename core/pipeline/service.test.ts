import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ApiError, type ErrorCode, LimiterUnavailableError, StoreUnavailableError } from '../http/errors.ts'
import type { RateLimiter } from '../limits/bucket.ts'
import { createMemoryLimiter } from '../limits/memory-limiter.ts'
import { createMemoryStore } from '../pets/memory-store.ts'
import type { PetQuery } from '../pets/store.ts'
import { makeThenable } from '../testing/make-thenable.ts'
import { addRex, keyHeaders, serve, zoo } from '../testing/serve.ts'
import {
  createServiceRequest,
  type RequestOptions,
  readCode,
  readRemaining,
  throwError,
  toTestResponse,
} from '../testing/service-request.ts'
import { createStubStore } from '../testing/stub-store.ts'
import { testStartMs } from '../testing/test-clock.ts'
import type { ErrorContext } from './events.ts'
import type { ServiceOptions } from './options.ts'
import type { PetService } from './service.ts'
import { readInternals } from './service-internals.ts'

/** A store without the optional method `page`. */
const { page: _, ...listing } = createMemoryStore()
const peer = { clientAddress: '192.0.2.1', header: () => undefined }

const listRequest = { headers: keyHeaders }
const getPet = { target: '/v1/pets/1', headers: keyHeaders }

const createFailingLimiter = (cause: unknown): RateLimiter => ({
  consume: () => throwError(cause),
  peek: () => throwError(cause),
})

describe('createPetService', () => {
  it('accepts asynchronous parts and a store without the method page', async () => {
    const keys = { find: () => zoo }
    const { send, service } = serve({
      ...makeThenable({ keys, limiter: createMemoryLimiter({ clock: () => testStartMs }), store: listing }),
      validate: async ({ name, status }) =>
        name === 'Max' && status === 'available' ? ['"name" must not be Max'] : [],
    })
    assert.equal((await send(addRex)).status, 201)
    const rejection = await send({ ...addRex, body: '{"name":"Max","categoryId":1}' })
    assert.deepEqual([rejection.status, readCode(rejection)], [400, 'invalid_pet'])
    assert.match(rejection.text, /\\"name\\" must not be Max/)
    assert.equal((await send(addRex)).status, 201)
    assert.equal((await send(getPet)).status, 200)
    const pageResponse = await send({ target: '/v1/pets?limit=1', headers: keyHeaders })
    const link = '</v1/pets?limit=1&after=1>; rel="next"'
    assert.deepEqual(
      [pageResponse.status, pageResponse.headers.get('link'), readRemaining(pageResponse)],
      [200, link, '55'],
    )
    assert.ok((await service.authenticate(createServiceRequest(listRequest))).authenticated)
  })

  it('calls the page method if the store has one', async () => {
    const queries: PetQuery[] = []
    const json = '[{"id":9007199254740993}]'
    const readPage = (query: PetQuery) => {
      queries.push({ ...query })
      Object.assign(query, { limit: 0 }) // a store may change the query
      return { json, next: query.status && 2n ** 53n + 1n }
    }
    const { send } = serve({
      store: createStubStore({ page: readPage, list: () => assert.fail('not to be called') }),
    })
    const sendListQuery = (query: string) => send({ target: `/v1/pets?${query}`, headers: keyHeaders })
    const nextLink = '</v1/pets?limit=20&status=sold&after=9007199254740993>; rel="next"'
    for (const [query, link] of [
      ['limit=7&after=3', undefined],
      ['limit=7&after=3', undefined],
      ['status=sold', nextLink],
    ] as const) {
      const { status, text, headers } = await sendListQuery(query)
      assert.deepEqual([status, text, headers.get('link')], [200, json, link])
    }
    assert.equal((await sendListQuery('limit=0')).status, 400)
    const expectedQuery = { limit: 7, after: 3n }
    assert.deepEqual(queries, [expectedQuery, expectedQuery, { limit: 20, status: 'sold' }])
  })

  it('removes getPet on its removal date, unless removal is manual', async () => {
    const removalMs = Date.UTC(2030, 11, 5)
    const { send, advance, causes } = serve({}, removalMs - 1)
    const beforeRemoval = await send(getPet)
    const resetHeader = beforeRemoval.headers.get('x-ratelimit-reset')
    assert.deepEqual([beforeRemoval.status, resetHeader], [404, `${removalMs / 1000 + 60}`])
    advance(1)
    assert.equal(readCode(await send(getPet)), 'operation_removed')
    advance(Number.NaN)
    assert.equal((await send(getPet)).status, 500)
    assert.match(String(causes), /options\.clock/)
    const manual = await serve({ removal: 'manual', deprecatedSince: 1_800_000_000 }, removalMs).send(getPet)
    assert.deepEqual([manual.status, manual.headers.get('deprecation')], [404, '@1800000000'])
  })

  it('matches the paths at and below the base path', () => {
    const ownedTargets = ['/v1', '/v1/', '/v1/pets', '/%76%31/pets', '/v1?x', 'http://other.example/v1/pets']
    const foreignTargets = [
      '/',
      '/v2/pets',
      '/v1x',
      '/pets',
      '*',
      '',
      'http://other.example/',
      'http://v1/pets',
    ]
    const { matches, basePath } = serve().service
    assert.equal(basePath, '/v1')
    for (const target of ownedTargets) assert.ok(matches(target), target)
    for (const target of foreignTargets) assert.ok(!matches(target), target)
    const rootService = serve({ basePath: '' }).service
    for (const target of [...ownedTargets, '/', '/pets']) assert.ok(rootService.matches(target), target)
  })
})

type Part = () => never
const returnNothing: Part = () => undefined as never // invalid input, on purpose
const failureCases = [
  ['fails', new Error('disk on fire'), 500, 'internal_error'],
  ['throws a string', 'disk on fire', 500, 'internal_error'],
  ['is unavailable', new StoreUnavailableError('down', { retryAfterSeconds: 7 }), 503, 'service_unavailable'],
  ['returns nothing', returnNothing, 500, 'internal_error'],
] as const

type Break = (part: Part) => Partial<ServiceOptions>
const breakLimiter: Break = (part) => ({ limiter: { consume: part, peek: part } })
const failingParts: readonly (readonly [
  part: string,
  breakIt: Break,
  asked: RequestOptions,
  mayReturnNothing?: true,
])[] = [
  ['list in a store', (part) => ({ store: createStubStore({ list: part }) }), listRequest],
  ['create in a store', (part) => ({ store: createStubStore({ create: part }) }), addRex],
  ['get in a store', (part) => ({ store: createStubStore({ get: part }) }), getPet, true],
  ['a key store', (part) => ({ keys: { find: part } }), listRequest, true],
  ['a limiter', breakLimiter, listRequest],
  ['a limiter on an unknown path', breakLimiter, { target: '/elsewhere' }],
  ['the hook validate', (part) => ({ validate: part }), addRex],
]

describe('a failing part of the service', () => {
  for (const [part, breakIt, asked, mayReturnNothing] of failingParts) {
    for (const [how, cause, status, code] of failureCases) {
      if (cause === returnNothing && mayReturnNothing) continue
      for (const when of ['immediately', 'later'] as const) {
        it(`causes a ${status} if ${part} ${how} ${when}`, async () => {
          const options = breakIt(cause === returnNothing ? returnNothing : () => throwError(cause))
          const { send, causes } = serve(when === 'later' ? makeThenable(options) : options)
          const response = await send(asked)
          assert.deepEqual([response.status, readCode(response)], [status, code])
          if (cause === returnNothing) assert.ok(causes.length > 0)
          else assert.deepEqual(causes, [cause])
          assert.doesNotMatch(response.text, /fire|down/)
          assert.equal(response.headers.get('retry-after'), status === 503 ? '7' : undefined)
        })
      }
    }
  }

  it('sets X-RateLimit-Remaining to 0 in a 503 from the limiter', async () => {
    const { status, headers } = await serve({
      limiter: createFailingLimiter(new LimiterUnavailableError('down')),
    }).send(listRequest)
    assert.deepEqual([status, headers.get('x-ratelimit-limit'), readRemaining({ headers })], [503, '60', '0'])
    assert.equal(
      headers.get('x-ratelimit-reset'),
      String(testStartMs / 1000 + Number(headers.get('retry-after'))),
    )
  })
})

describe("the service's hooks", () => {
  it('pass an event for each response to onResponse', async () => {
    let id = 0
    const { service, send, events } = serve({ requestId: () => `r${++id}` })
    const creationResponse = await send(addRex)
    await send({ target: '/v1/pets/9', clientAddress: '192.0.2.9' })
    await readInternals(service).rejectUnparsed(new ApiError('headers_too_large'), peer)
    assert.equal(creationResponse.headers.get('x-request-id'), 'r1')
    for (const { durationMs, decision } of events) assert.ok(durationMs >= 0 && decision.remaining === 59)
    const seenEvents = events.map(({ durationMs, decision, clientAddress, ...others }) => [
      ...Object.values(others),
      clientAddress,
    ])
    assert.deepEqual(seenEvents, [
      ['createPet', '/v1/pets', 'POST', 'zoo', 'r1', 201, undefined, undefined, '192.0.2.1'],
      ['getPet', '/v1/pets/{petId}', 'GET', undefined, 'r2', 401, 'missing_api_key', undefined, '192.0.2.9'],
      [undefined, undefined, undefined, undefined, 'r3', 431, 'headers_too_large', undefined, '192.0.2.1'],
    ])
  })

  for (const [how, hook] of [
    ['throws', () => throwError('hook')],
    ['rejects', () => Promise.reject('hook') as never], // an async hook that rejects
  ] as const)
    it(`report an onResponse that ${how}`, async () => {
      const { send, causes } = serve({ onResponse: hook })
      assert.equal((await send(listRequest)).status, 200)
      await Promise.resolve()
      assert.deepEqual(causes, ['hook'])
      const brokenService = serve({
        store: createStubStore({ list: () => throwError('disk') }),
        onError: hook,
      })
      assert.equal((await brokenService.send(listRequest)).status, 500)
    })

  it('pass the failed request to onError', async () => {
    const contexts: ErrorContext[] = []
    const onError = (_: unknown, context: ErrorContext) => contexts.push(context)
    const { send } = serve({
      store: createStubStore({ get: () => throwError('disk') }),
      requestId: () => 'r1',
      onError,
    })
    await send({ ...getPet, method: 'HEAD' })
    await serve({ requestId: () => throwError('id'), onError }).send(listRequest)
    await serve({ onResponse: () => throwError('event'), onError }).send({ target: '/v1/pets' })
    const knownEvent = {
      operation: undefined,
      route: undefined,
      method: 'GET',
      caller: undefined,
      requestId: undefined,
    }
    assert.deepEqual(contexts, [
      { operation: 'getPet', route: '/v1/pets/{petId}', method: 'HEAD', caller: 'zoo', requestId: 'r1' },
      knownEvent,
      { ...knownEvent, operation: 'listPets', route: '/v1/pets' },
    ])
  })

  it('pass the request to requestId', async () => {
    const { send } = serve({ requestId: ({ method, header }) => `${method} ${header('x-tenant')}` })
    const { headers } = await send({ headers: { ...keyHeaders, 'x-tenant': 'ark' } })
    assert.equal(headers.get('x-request-id'), 'GET ark')
  })

  for (const id of ['a\nb', 'a\r\nSet-Cookie: b', 'ü', '\0', '', undefined]) {
    const resultPhrase = id === undefined ? 'throws' : `returns ${JSON.stringify(id)}`
    it(`omit X-Request-Id if requestId ${resultPhrase}`, async () => {
      const { send, causes } = serve({ requestId: () => id ?? throwError('options.requestId') })
      const { status, headers } = await send(listRequest)
      assert.deepEqual([status, headers.has('x-request-id')], [200, false])
      assert.match(
        String(causes),
        /^(?:TypeError: options\.requestId must return printable ASCII characters|options\.requestId)$/,
      )
    })
  }
})

describe("a service's internals", () => {
  it('are found only in services and their copies', () => {
    const { service } = serve()
    assert.equal(readInternals({ ...service }), readInternals(service))
    for (const value of [undefined, null, {}, () => {}, 'service'])
      assert.throws(
        () => readInternals(value),
        /^TypeError: expected a service created by createPetService, got .+$/,
      )
  })

  const rejectUnparsed = (service: PetService, code: ErrorCode = 'invalid_request') =>
    toTestResponse(readInternals(service).rejectUnparsed(new ApiError(code), peer))

  it('charge unparsed requests, but never ban their client', async () => {
    const { service, send, advance } = serve()
    for (let i = 0; i < 300; i++, advance(150)) {
      const response = await rejectUnparsed(service, i === 1 ? 'request_timeout' : 'invalid_request')
      assert.equal(response.status, i === 1 ? 408 : 400)
      assert.equal(response.headers.get('cache-control'), 'no-store')
      if (i < 2 || i === 100) assert.equal(readRemaining(response), ['59', '58'][i] ?? '0')
    }
    for (let i = 0; i < 60; i++) await send()
    assert.equal(readCode(await send()), 'rate_limit_exceeded')
  })

  it('add rate limit headers without charging a request', async () => {
    const { service } = serve()
    await rejectUnparsed(service)
    const plainResponse = { status: 204, rawHeaders: ['Cache-Control', 'max-age=60'], body: undefined }
    for (let i = 0; i < 3; i++) {
      const { status, headers } = await toTestResponse(
        readInternals(service).addRateLimitHeaders(plainResponse, peer),
      )
      assert.deepEqual([status, readRemaining({ headers })], [204, '59'])
      assert.equal(headers.get('cache-control'), 'max-age=60')
    }
    const failedService = serve({
      limiter: createFailingLimiter(new LimiterUnavailableError('down')),
    }).service
    assert.equal(
      readRemaining(
        await toTestResponse(readInternals(failedService).addRateLimitHeaders(plainResponse, peer)),
      ),
      '0',
    )
  })
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ApiError, type ErrorCode, LimiterUnavailable, StoreUnavailable } from '../http/errors.ts'
import type { RateLimiter } from '../limits/bucket.ts'
import { createMemoryLimiter } from '../limits/memory-limiter.ts'
import { createMemoryStore } from '../pets/memory-store.ts'
import type { PetQuery } from '../pets/store.ts'
import { addRex, keyed, serve, zoo } from '../testing/serve.ts'
import {
  type Asked,
  fail,
  readCode,
  readRemaining,
  received,
  serviceRequest,
} from '../testing/service-request.ts'
import { stubStore } from '../testing/stub-store.ts'
import { membersLate } from '../testing/thenable.ts'
import { epoch } from '../testing/traffic.ts'
import type { ErrorContext } from './events.ts'
import type { ServiceOptions } from './options.ts'
import type { PetService } from './service.ts'
import { readInternals } from './service-internals.ts'

/** A store whose pages the service makes from `list`. */
const { page: _, ...listing } = createMemoryStore()
const peer = { client: '192.0.2.1', header: () => undefined }

const list = { headers: keyed }
const getPet = { target: '/v1/pets/1', headers: keyed }

/** A limiter whose methods throw. */
const failing = (cause: unknown): RateLimiter => ({ consume: () => fail(cause), peek: () => fail(cause) })

describe('the service', () => {
  it('waits for parts that return any thenable', async () => {
    const keys = { find: () => zoo }
    const { ask, service } = serve({
      ...membersLate({ keys, limiter: createMemoryLimiter({ clock: () => epoch }), store: listing }),
      validate: async ({ name, status }) =>
        name === 'Max' && status === 'available' ? ['"name" must not be Max'] : [],
    })
    assert.equal((await ask(addRex)).status, 201)
    const rejected = await ask({ ...addRex, body: '{"name":"Max","categoryId":1}' })
    assert.deepEqual([rejected.status, readCode(rejected)], [400, 'invalid_pet'])
    assert.match(rejected.text, /\\"name\\" must not be Max/)
    assert.equal((await ask(addRex)).status, 201)
    assert.equal((await ask(getPet)).status, 200)
    const page = await ask({ target: '/v1/pets?limit=1', headers: keyed })
    const link = '</v1/pets?limit=1&after=1>; rel="next"'
    assert.deepEqual([page.status, page.headers.get('link'), readRemaining(page)], [200, link, '55'])
    assert.ok((await service.authenticate(serviceRequest(list))).authenticated)
  })

  it('sends the page of a store unchanged, with a link to the next one', async () => {
    const queries: PetQuery[] = []
    const json = '[{"id":9007199254740993}]'
    const page = (query: PetQuery) => {
      queries.push({ ...query })
      Object.assign(query, { limit: 0 }) // whatever the store does with it
      return { json, next: query.status && 2n ** 53n + 1n }
    }
    const { ask } = serve({ store: stubStore({ page, list: () => assert.fail('not to be called') }) })
    const get = (query: string) => ask({ target: `/v1/pets?${query}`, headers: keyed })
    const next = '</v1/pets?limit=20&status=sold&after=9007199254740993>; rel="next"'
    for (const [query, link] of [
      ['limit=7&after=3', undefined],
      ['limit=7&after=3', undefined],
      ['status=sold', next],
    ] as const) {
      const { status, text, headers } = await get(query)
      assert.deepEqual([status, text, headers.get('link')], [200, json, link])
    }
    assert.equal((await get('limit=0')).status, 400)
    const seven = { limit: 7, after: 3n }
    assert.deepEqual(queries, [seven, seven, { limit: 20, status: 'sold' }])
  })

  it('uses its clock for limits and the removal of getPet', async () => {
    const removal = Date.UTC(2030, 11, 5)
    const { ask, pass, causes } = serve({}, removal - 1)
    const before = await ask(getPet)
    const reset = before.headers.get('x-ratelimit-reset')
    assert.deepEqual([before.status, reset], [404, `${removal / 1000 + 60}`])
    pass(1)
    assert.equal(readCode(await ask(getPet)), 'operation_removed')
    pass(Number.NaN)
    assert.equal((await ask(getPet)).status, 500)
    assert.match(String(causes), /options\.clock/)
    const manual = await serve({ removal: 'manual', deprecatedSince: 1_800_000_000 }, removal).ask(getPet)
    assert.deepEqual([manual.status, manual.headers.get('deprecation')], [404, '@1800000000'])
  })

  it('matches paths below its base path', () => {
    const owned = ['/v1', '/v1/', '/v1/pets', '/%76%31/pets', '/v1?x', 'http://other.example/v1/pets']
    const foreign = ['/', '/v2/pets', '/v1x', '/pets', '*', '', 'http://other.example/', 'http://v1/pets']
    const { matches, basePath } = serve().service
    assert.equal(basePath, '/v1')
    for (const target of owned) assert.ok(matches(target), target)
    for (const target of foreign) assert.ok(!matches(target), target)
    const everywhere = serve({ basePath: '' }).service
    for (const target of [...owned, '/', '/pets']) assert.ok(everywhere.matches(target), target)
  })
})

type Part = () => never
const nothing: Part = () => undefined as never // what a part without types may return
const failures = [
  ['fails', new Error('disk on fire'), 500, 'internal_error'],
  ['throws a text', 'disk on fire', 500, 'internal_error'],
  ['is not available', new StoreUnavailable('down', { retryAfterSeconds: 7 }), 503, 'service_unavailable'],
  ['returns nothing', nothing, 500, 'internal_error'],
] as const

type Break = (part: Part) => Partial<ServiceOptions>
const breakLimiter: Break = (part) => ({ limiter: { consume: part, peek: part } })
const broken: readonly (readonly [part: string, breakIt: Break, asked: Asked, mayReturnNothing?: true])[] = [
  ['a store that lists', (part) => ({ store: stubStore({ list: part }) }), list],
  ['a store that creates', (part) => ({ store: stubStore({ create: part }) }), addRex],
  ['a store that fetches', (part) => ({ store: stubStore({ get: part }) }), getPet, true],
  ['a key store', (part) => ({ keys: { find: part } }), list, true],
  ['a limiter', breakLimiter, list],
  ['a limiter, elsewhere,', breakLimiter, { target: '/elsewhere' }],
  ['a validation', (part) => ({ validate: part }), addRex],
]

describe('a part that fails', () => {
  for (const [part, breakIt, asked, mayReturnNothing] of broken) {
    for (const [how, cause, status, code] of failures) {
      if (cause === nothing && mayReturnNothing) continue
      for (const when of ['at once', 'later'] as const) {
        it(`is a ${status} and goes to onError: ${part} that ${how} ${when}`, async () => {
          const options = breakIt(cause === nothing ? nothing : () => fail(cause))
          const { ask, causes } = serve(when === 'later' ? membersLate(options) : options)
          const response = await ask(asked)
          assert.deepEqual([response.status, readCode(response)], [status, code])
          if (cause === nothing) assert.ok(causes.length > 0)
          else assert.deepEqual(causes, [cause])
          assert.doesNotMatch(response.text, /fire|down/)
          assert.equal(response.headers.get('retry-after'), status === 503 ? '7' : undefined)
        })
      }
    }
  }

  it('leaves numbers that admit nothing before the retry if it is a limiter', async () => {
    const { status, headers } = await serve({ limiter: failing(new LimiterUnavailable('down')) }).ask(list)
    assert.deepEqual([status, headers.get('x-ratelimit-limit'), readRemaining({ headers })], [503, '60', '0'])
    assert.equal(headers.get('x-ratelimit-reset'), String(epoch / 1000 + Number(headers.get('retry-after'))))
  })
})

describe('the hooks', () => {
  it('send onResponse an event for every response, without key or target', async () => {
    let id = 0
    const { service, ask, events } = serve({ requestId: () => `r${++id}` })
    const added = await ask(addRex)
    await ask({ target: '/v1/pets/9', client: '192.0.2.9' })
    await readInternals(service).rejectUnparsed(new ApiError('headers_too_large'), peer)
    assert.equal(added.headers.get('x-request-id'), 'r1')
    for (const { durationMs, decision } of events) assert.ok(durationMs >= 0 && decision.remaining === 59)
    const seen = events.map(({ durationMs, decision, client, ...others }) => [
      ...Object.values(others),
      client,
    ])
    assert.deepEqual(seen, [
      ['createPet', '/v1/pets', 'POST', 201, undefined, 'zoo', 'r1', undefined, '192.0.2.1'],
      ['getPet', '/v1/pets/{petId}', 'GET', 401, 'missing_api_key', undefined, 'r2', undefined, '192.0.2.9'],
      [undefined, undefined, undefined, 431, 'headers_too_large', undefined, 'r3', undefined, '192.0.2.1'],
    ])
  })

  for (const [how, hook] of [
    ['throws', () => fail('hook')],
    ['rejects', () => Promise.reject('hook') as never], // an async function where none is meant
  ] as const)
    it(`change no response if one ${how}; onError receives the cause`, async () => {
      const { ask, causes } = serve({ onResponse: hook })
      assert.equal((await ask(list)).status, 200)
      await Promise.resolve()
      assert.deepEqual(causes, ['hook'])
      const broken = serve({ store: stubStore({ list: () => fail('disk') }), onError: hook })
      assert.equal((await broken.ask(list)).status, 500)
    })

  it('give onError the request id, the operation and the caller', async () => {
    const contexts: ErrorContext[] = []
    const onError = (_: unknown, context: ErrorContext) => contexts.push(context)
    await serve({ store: stubStore({ list: () => fail('disk') }), requestId: () => 'r1', onError }).ask(list)
    assert.deepEqual(contexts, [{ requestId: 'r1', operation: 'listPets', caller: 'zoo' }])
  })

  for (const id of ['a\nb', 'a\r\nSet-Cookie: b', 'ü', '\0', '', undefined]) {
    const returned = id === undefined ? 'throws' : `returns ${JSON.stringify(id)}`
    it(`add no header if requestId ${returned}`, async () => {
      const { ask, causes } = serve({ requestId: () => id ?? fail('options.requestId') })
      const { status, headers } = await ask(list)
      assert.deepEqual([status, headers.has('x-request-id')], [200, false])
      assert.match(
        String(causes),
        /^(?:TypeError: options\.requestId must return a text of printable ASCII|options\.requestId)$/,
      )
    })
  }
})

describe('the internals of a service', () => {
  it('belong to it and to its copies only', () => {
    const { service } = serve()
    assert.equal(readInternals({ ...service }), readInternals(service))
    for (const value of [undefined, null, {}, () => {}, 'service'])
      assert.throws(
        () => readInternals(value),
        /^TypeError: expected a service created by createPetService, got .+$/,
      )
  })

  const unparsed = (service: PetService, code: ErrorCode = 'invalid_request') =>
    received(readInternals(service).rejectUnparsed(new ApiError(code), peer))

  it('charge the address of a request that cannot be parsed, without a ban', async () => {
    const { service, ask, pass } = serve()
    for (let i = 0; i < 300; i++, pass(150)) {
      const response = await unparsed(service, i === 1 ? 'request_timeout' : 'invalid_request')
      assert.equal(response.status, i === 1 ? 408 : 400)
      assert.equal(response.headers.get('cache-control'), 'no-store')
      if (i < 2 || i === 100) assert.equal(readRemaining(response), ['59', '58'][i] ?? '0')
    }
    for (let i = 0; i < 60; i++) await ask()
    assert.equal(readCode(await ask()), 'rate_limit_exceeded')
  })

  it('add the rate-limit headers of an address without charging it', async () => {
    const { service } = serve()
    await unparsed(service)
    const page = { status: 204, rawHeaders: ['Cache-Control', 'max-age=60'], body: undefined }
    for (let i = 0; i < 3; i++) {
      const { status, headers } = await received(readInternals(service).withRateLimit(page, peer))
      assert.deepEqual([status, readRemaining({ headers })], [204, '59'])
      assert.equal(headers.get('cache-control'), 'max-age=60')
    }
    const failed = serve({ limiter: failing(new LimiterUnavailable('down')) }).service
    assert.equal(readRemaining(await received(readInternals(failed).withRateLimit(page, peer))), '0')
  })
})

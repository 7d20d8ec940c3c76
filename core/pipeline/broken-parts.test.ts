import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Caller, LimiterUnavailableError, StoreUnavailableError } from '../index.ts'
import { addRex, keyHeaders, serve, zoo } from '../testing/serve.ts'
import { createServiceRequest, type RequestOptions, throwError } from '../testing/service-request.ts'
import { createStubStore } from '../testing/stub-store.ts'
import { testStartMs } from '../testing/test-clock.ts'
import type { ServiceOptions } from './options.ts'

const list: RequestOptions = { headers: keyHeaders }
const getPet: RequestOptions = { target: '/v1/pets/1', headers: keyHeaders }
const creation: RequestOptions = { ...addRex, headers: { ...keyHeaders, 'idempotency-key': 'k' } }
const unknownPath: RequestOptions = { target: '/elsewhere' }
const headerInjection = '1\r\nSet-Cookie: a=b'
const rexPet = { id: 1n, name: 'Rex', categoryId: 1n }
const validDecision = { allowed: true, banned: false, limit: 60, remaining: 59, reset: 0, waitMs: 0 }

const returns = (value: unknown) => () => value as never // invalid input, on purpose
const throwTrap = () => throwError('trap')
const rejects = () => Promise.reject(new Error('late')) as never
const withDecision = (changes: object): Partial<ServiceOptions> => {
  const returnDecision = returns({ ...validDecision, ...changes })
  return { limiter: { consume: returnDecision, peek: returnDecision } }
}
const withCaller = (caller: object): Partial<ServiceOptions> => ({
  keys: { find: returns({ ...zoo, ...caller }) },
})
const withPet = (pet: object): Partial<ServiceOptions> => ({
  store: createStubStore({ get: returns({ ...rexPet, ...pet }) }),
})
const withPage = (page: object): Partial<ServiceOptions> => ({
  store: createStubStore({ page: returns({ json: '[]', ...page }) }),
})
const withCreation = (result: unknown): Partial<ServiceOptions> => ({
  store: createStubStore({ createOnce: returns(result), findCreated: returns(undefined) }),
})

/** The fault, the options that cause it, and a request that reaches it. */
const invalidResults: readonly (readonly [
  fault: string,
  options: Partial<ServiceOptions>,
  asked: RequestOptions,
])[] = [
  ['a page whose next is a string with a line end', withPage({ next: headerInjection }), list],
  ['a page whose next is a fraction', withPage({ next: 1.5 }), list],
  ['a page whose json is a number', withPage({ json: 5 }), list],
  ['a page without json', withPage({ json: undefined }), list],
  ['a store that returns no page', { store: createStubStore({ page: returns(undefined) }) }, list],
  ['a store that lists an object', { store: createStubStore({ list: returns({}) }) }, list],
  ['a store that lists undefined', { store: createStubStore({ list: returns([undefined]) }) }, list],
  ['an animal whose name is a number', withPet({ name: 5 }), getPet],
  ['an animal without a name', withPet({ name: undefined }), getPet],
  ['an animal whose id is a number', withPet({ id: 1 }), getPet],
  ['an animal whose id is a string', withPet({ id: '1,"admin":true' }), getPet],
  ['an animal whose categoryId is a string', withPet({ categoryId: '1' }), getPet],
  ['an animal with an unknown status', withPet({ status: 'lost","x":"' }), getPet],
  ['an animal that is a string', { store: createStubStore({ get: returns('Rex') }) }, getPet],
  [
    'an animal whose members throw',
    { store: createStubStore({ get: () => new Proxy(rexPet, { get: () => throwError('trap') }) }) },
    getPet,
  ],
  [
    'a store that returns nothing from create',
    { store: createStubStore({ create: returns(undefined) }) },
    addRex,
  ],
  ['a store that returns no outcome from createOnce', withCreation({ id: 1n }), creation],
  ['a store that returns no id from createOnce', withCreation({ outcome: 'created' }), creation],
  ['a store that returns nothing from createOnce', withCreation(undefined), creation],
  ['a decision whose limit is a string with a line end', withDecision({ limit: headerInjection }), list],
  ['a decision whose limit is NaN', withDecision({ limit: Number.NaN }), list],
  ['a decision with a fraction of remaining requests', withDecision({ remaining: 0.5 }), list],
  ['a decision whose reset is infinite', withDecision({ reset: Number.POSITIVE_INFINITY }), unknownPath],
  ['a decision whose waitMs is a string', withDecision({ allowed: false, waitMs: headerInjection }), list],
  ['a limiter that returns null', { limiter: { consume: returns(null), peek: returns(null) } }, list],
  ['a caller with the plan constructor', withCaller({ plan: 'constructor' }), list],
  ['a caller with an unknown plan', withCaller({ plan: 'gold' }), list],
  ['a caller whose id is an object', withCaller({ id: { toString: () => throwError('trap') } }), list],
  ['a caller without an id', withCaller({ id: undefined }), list],
  [
    'a caller whose limits are strings',
    withCaller({ plan: 'enterprise', limits: { minute: headerInjection, day: '5' } }),
    list,
  ],
  ['a caller with a limit of 0', withCaller({ plan: 'enterprise', limits: { minute: 0, day: 5 } }), list],
  ['a caller that is a string', { keys: { find: returns('zoo') } }, list],
  [
    'a thenable that throws',
    { keys: { find: returns(Object.defineProperty({}, 'then', { get: throwTrap })) } },
    list,
  ],
  ['a store that throws undefined', { store: createStubStore({ get: () => throwError(undefined) }) }, getPet],
  [
    'a store that throws an object whose members throw',
    { store: createStubStore({ get: () => throwError(new Proxy({}, { get: () => throwError('trap') })) }) },
    getPet,
  ],
]

/** Sends a request, checks that its response is well-formed, and returns the status. */
async function readStatus(
  { service }: Pick<ReturnType<typeof serve>, 'service'>,
  asked: RequestOptions,
): Promise<number> {
  const { status, rawHeaders, body } = await service.handle(createServiceRequest(asked))
  assert.equal(rawHeaders.length % 2, 0)
  for (const text of rawHeaders) assert.match(text, /^[ -~]+$/)
  if (body !== undefined) JSON.parse(body)
  for (const name of ['Limit', 'Remaining', 'Reset'])
    assert.match(rawHeaders[rawHeaders.indexOf(`X-RateLimit-${name}`) + 1] ?? '', /^\d+$/)
  return status
}

describe('invalid results from stores and limiters', () => {
  for (const [fault, options, asked] of invalidResults)
    it(`cause a 500 response, such as ${fault}`, async () => {
      const brokenService = serve(options)
      assert.equal(await readStatus(brokenService, asked), 500)
      assert.ok(brokenService.causes.length > 0)
    })

  for (const seconds of [headerInjection, 0, -1, 1.5, Number.NaN])
    it(`never appear in Retry-After, such as ${JSON.stringify(seconds)}`, async () => {
      const storeError = new StoreUnavailableError('away', { retryAfterSeconds: seconds as number })
      assert.equal(
        await readStatus(serve({ store: createStubStore({ get: () => throwError(storeError) }) }), getPet),
        503,
      )
    })

  it('are absent from the 503 for an unavailable limiter', async () => {
    const failLimiter = () => throwError(new LimiterUnavailableError('away'))
    assert.equal(
      await readStatus(serve({ limiter: { consume: failLimiter, peek: failLimiter } }), unknownPath),
      503,
    )
  })
})

describe('broken hooks', () => {
  it('are reported if requestId returns a promise', async () => {
    const testService = serve({ requestId: (async () => 'r1') as never })
    const { rawHeaders } = await testService.service.handle(createServiceRequest(list))
    assert.ok(!rawHeaders.includes('X-Request-Id'))
    assert.match(String(testService.causes), /options\.requestId must return/)
  })

  it('are reported if requestId returns a promise that rejects', async () => {
    const testService = serve({ requestId: rejects })
    assert.equal(await readStatus(testService, list), 200)
    await nextTurn()
    assert.match(String(testService.causes), /options\.requestId must return/)
  })

  it('cause a 500 if validate throws, rejects or returns no strings', async () => {
    for (const validate of [
      () => throwError('no'),
      rejects,
      returns([{ toString: () => throwError('trap') }]),
    ])
      assert.equal(await readStatus(serve({ validate }), addRex), 500)
  })

  it('do not affect responses if onError or onResponse fails', async () => {
    for (const hook of [() => throwError('no'), rejects]) {
      const testService = serve({ onError: hook, onResponse: hook })
      assert.equal(await readStatus(testService, list), 200)
    }
    await nextTurn()
  })
})

describe('a request whose members throw', () => {
  const headers = () => throwError('headers')
  const throwingValues: readonly object[] = [
    { header: headers },
    { target: undefined },
    { header: (name: string) => (name === 'origin' ? throwError('origin') : keyHeaders.authorization) },
    { header: returns(5) },
  ]
  for (const [i, members] of throwingValues.entries())
    it(`gets a 500 (case ${i + 1})`, async () => {
      const { service, causes } = serve({ cors: ['https://example.com'], requestId: () => 'r1' })
      const request = { ...createServiceRequest({ clientAddress: '192.0.2.1' }), ...members }
      const { status, rawHeaders } = await service.handle(request)
      assert.equal(status, 500)
      assert.ok(rawHeaders.includes('X-RateLimit-Limit'))
      assert.ok(causes.length > 0)
    })
})

describe('a key store', () => {
  it('may return a thenable instead of a promise', async () => {
    const caller: Caller = zoo
    const then = (resolve: (value: Caller) => void) => resolve(caller)
    assert.equal(
      await readStatus(serve({ keys: { find: returns({ then }) }, clock: () => testStartMs }), list),
      200,
    )
  })
})

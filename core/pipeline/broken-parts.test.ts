import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Caller, LimiterUnavailable, StoreUnavailable } from '../index.ts'
import { addRex, keyed, serve, zoo } from '../testing/serve.ts'
import { type Asked, fail, serviceRequest } from '../testing/service-request.ts'
import { stubStore } from '../testing/stub-store.ts'
import { epoch } from '../testing/traffic.ts'
import type { ServiceOptions } from './options.ts'

const list: Asked = { headers: keyed }
const getPet: Asked = { target: '/v1/pets/1', headers: keyed }
const creation: Asked = { ...addRex, headers: { ...keyed, 'idempotency-key': 'k' } }
const elsewhere: Asked = { target: '/elsewhere' }
const injected = '1\r\nSet-Cookie: a=b'
const rex = { id: 1n, name: 'Rex', categoryId: 1n }
const decision = { allowed: true, banned: false, limit: 60, remaining: 59, reset: 0, waitMs: 0 }

const returning = (value: unknown) => () => value as never // what a part without types may return
const trap = () => fail('trap')
const rejecting = () => Promise.reject(new Error('late')) as never
const deciding = (changes: object): Partial<ServiceOptions> => {
  const decide = returning({ ...decision, ...changes })
  return { limiter: { consume: decide, peek: decide } }
}
const found = (caller: object): Partial<ServiceOptions> => ({
  keys: { find: returning({ ...zoo, ...caller }) },
})
const stored = (pet: object): Partial<ServiceOptions> => ({
  store: stubStore({ get: returning({ ...rex, ...pet }) }),
})
const paged = (page: object): Partial<ServiceOptions> => ({
  store: stubStore({ page: returning({ json: '[]', ...page }) }),
})
const createdOnce = (result: unknown): Partial<ServiceOptions> => ({
  store: stubStore({ createOnce: returning(result), findCreated: returning(undefined) }),
})

/** Parts that break their contract, and a request that shows it. */
const broken: readonly (readonly [fault: string, options: Partial<ServiceOptions>, asked: Asked])[] = [
  ['a next page with a line end', paged({ next: injected }), list],
  ['a next page that is not an integer', paged({ next: 1.5 }), list],
  ['a page that is not a text', paged({ json: 5 }), list],
  ['a page without text', paged({ json: undefined }), list],
  ['no page', { store: stubStore({ page: returning(undefined) }) }, list],
  ['a list that is not an array', { store: stubStore({ list: returning({}) }) }, list],
  ['a list with a hole', { store: stubStore({ list: returning([undefined]) }) }, list],
  ['a pet whose name is not a text', stored({ name: 5 }), getPet],
  ['a pet without a name', stored({ name: undefined }), getPet],
  ['a pet whose id is a number', stored({ id: 1 }), getPet],
  ['a pet whose id is a text', stored({ id: '1,"admin":true' }), getPet],
  ['a pet whose category is a text', stored({ categoryId: '1' }), getPet],
  ['a pet with an unknown status', stored({ status: 'lost","x":"' }), getPet],
  ['a pet that is a text', { store: stubStore({ get: returning('Rex') }) }, getPet],
  [
    'a pet whose members throw',
    { store: stubStore({ get: () => new Proxy(rex, { get: () => fail('trap') }) }) },
    getPet,
  ],
  ['a creation that returns nothing', { store: stubStore({ create: returning(undefined) }) }, addRex],
  ['a creation without an outcome', createdOnce({ id: 1n }), creation],
  ['a creation without an id', createdOnce({ outcome: 'created' }), creation],
  ['no creation', createdOnce(undefined), creation],
  ['a limit with a line end', deciding({ limit: injected }), list],
  ['a limit that is not a number', deciding({ limit: Number.NaN }), list],
  ['a fraction of requests', deciding({ remaining: 0.5 }), list],
  ['a reset that never comes', deciding({ reset: Number.POSITIVE_INFINITY }), elsewhere],
  ['a wait that is not a number', deciding({ allowed: false, waitMs: injected }), list],
  ['no decision', { limiter: { consume: returning(null), peek: returning(null) } }, list],
  ['a plan of the prototype', found({ plan: 'constructor' }), list],
  ['an unknown plan', found({ plan: 'gold' }), list],
  ['a caller whose id is not a text', found({ id: { toString: () => fail('trap') } }), list],
  ['a caller without an id', found({ id: undefined }), list],
  ['limits that are texts', found({ plan: 'enterprise', limits: { minute: injected, day: '5' } }), list],
  ['limits that never leak', found({ plan: 'enterprise', limits: { minute: 0, day: 5 } }), list],
  ['a caller that is a text', { keys: { find: returning('zoo') } }, list],
  [
    'a thenable that throws',
    { keys: { find: returning(Object.defineProperty({}, 'then', { get: trap })) } },
    list,
  ],
  ['a store that throws nothing', { store: stubStore({ get: () => fail(undefined) }) }, getPet],
  [
    'a store that throws an object that throws',
    { store: stubStore({ get: () => fail(new Proxy({}, { get: () => fail('trap') })) }) },
    getPet,
  ],
]

/** Asserts that a mount can write a response as it is, and returns its status. */
async function readStatus(
  { service }: Pick<ReturnType<typeof serve>, 'service'>,
  asked: Asked,
): Promise<number> {
  const { status, rawHeaders, body } = await service.handle(serviceRequest(asked))
  assert.equal(rawHeaders.length % 2, 0)
  for (const text of rawHeaders) assert.match(text, /^[ -~]+$/)
  if (body !== undefined) JSON.parse(body)
  for (const name of ['Limit', 'Remaining', 'Reset'])
    assert.match(rawHeaders[rawHeaders.indexOf(`X-RateLimit-${name}`) + 1] ?? '', /^\d+$/)
  return status
}

describe('a part that breaks its contract', () => {
  for (const [fault, options, asked] of broken)
    it(`is a 500 that goes to onError: ${fault}`, async () => {
      const served = serve(options)
      assert.equal(await readStatus(served, asked), 500)
      assert.ok(served.causes.length > 0)
    })

  for (const seconds of [injected, 0, -1, 1.5, Number.NaN])
    it(`has a usable Retry-After instead of ${JSON.stringify(seconds)}`, async () => {
      const cause = new StoreUnavailable('away', { retryAfterSeconds: seconds as number })
      assert.equal(await readStatus(serve({ store: stubStore({ get: () => fail(cause) }) }), getPet), 503)
    })

  it('is a 503 if the limiter throws while the numbers are read', async () => {
    const away = () => fail(new LimiterUnavailable('away'))
    assert.equal(await readStatus(serve({ limiter: { consume: away, peek: away } }), elsewhere), 503)
  })
})

describe('a hook that breaks its contract', () => {
  it('adds no X-Request-Id if requestId is asynchronous', async () => {
    const served = serve({ requestId: (async () => 'r1') as never })
    const { rawHeaders } = await served.service.handle(serviceRequest(list))
    assert.ok(!rawHeaders.includes('X-Request-Id'))
    assert.match(String(served.causes), /options\.requestId must return/)
  })

  it('causes no unhandled rejection if requestId rejects', async () => {
    const served = serve({ requestId: rejecting })
    assert.equal(await readStatus(served, list), 200)
    await nextTurn()
    assert.match(String(served.causes), /options\.requestId must return/)
  })

  it('is a 500 if validate throws, rejects or returns no texts', async () => {
    for (const validate of [() => fail('no'), rejecting, returning([{ toString: () => fail('trap') }])])
      assert.equal(await readStatus(serve({ validate }), addRex), 500)
  })

  it('changes no response if onError and onResponse throw or reject', async () => {
    for (const hook of [() => fail('no'), rejecting]) {
      const served = serve({ onError: hook, onResponse: hook })
      assert.equal(await readStatus(served, list), 200)
    }
    await nextTurn()
  })
})

describe('a mount that breaks its contract', () => {
  const headers = () => fail('headers')
  const throwing: readonly object[] = [
    { header: headers },
    { target: undefined },
    { header: (name: string) => (name === 'origin' ? fail('origin') : keyed.authorization) },
    { header: returning(5) },
  ]
  for (const [i, members] of throwing.entries())
    it(`gets a response to request ${i + 1} that cannot be read`, async () => {
      const { service, causes } = serve({ cors: ['https://example.com'], requestId: () => 'r1' })
      const request = { ...serviceRequest({ client: '192.0.2.1' }), ...members }
      const { status, rawHeaders } = await service.handle(request)
      assert.equal(status, 500)
      assert.ok(rawHeaders.includes('X-RateLimit-Limit'))
      assert.ok(causes.length > 0)
    })
})

describe('a part that promises', () => {
  it('is awaited, whatever thenable it returns', async () => {
    const caller: Caller = zoo
    const then = (resolve: (value: Caller) => void) => resolve(caller)
    assert.equal(
      await readStatus(serve({ keys: { find: returning({ then }) }, clock: () => epoch }), list),
      200,
    )
  })
})

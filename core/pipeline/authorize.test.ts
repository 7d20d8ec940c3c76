import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { LimiterUnavailable } from '../http/errors.ts'
import { createMemoryLimiter } from '../limits/memory-limiter.ts'
import {
  type Asked,
  ask,
  codeOf,
  inPairs,
  joined,
  type Received,
  received,
  remainingOf,
  serviceRequest,
} from '../testing/service-request.ts'
import { epoch } from '../testing/traffic.ts'
import type { ErrorContext, ResponseEvent } from './events.ts'
import type { ServiceOptions } from './options.ts'
import { createPetService, type PetService } from './service.ts'

const keys = {
  find: (token: string) => (token === 'good' ? ({ id: 'zoo', plan: 'free' } as const) : undefined),
}
const keyed = { authorization: 'Bearer good' }
const target = '/v1/store/orders'

const make = ({ clock = () => epoch, ...options }: Partial<ServiceOptions> = {}): PetService =>
  createPetService({ keys, clock, ...options })

const authorize = async (service: PetService, asked: Asked = {}) =>
  service.authorize(serviceRequest({ target, ...asked }))

/** Returns the response to a request that is not authorized. */
async function rejected(service: PetService, asked: Asked = {}): Promise<Received> {
  const access = await authorize(service, asked)
  return access.authorized ? assert.fail('the request is authorized') : received(access.response)
}

async function accessOf(service: PetService, asked: Asked = { headers: keyed }) {
  const access = await authorize(service, asked)
  return access.authorized ? access : assert.fail(access.response.body)
}

describe('a route of the embedder', () => {
  it('is authorized with a valid key, and receives the caller, its numbers and the headers to send', async () => {
    const { caller, decision, headers } = await accessOf(make({ requestId: () => 'r1' }))
    assert.deepEqual(caller, { id: 'zoo', plan: 'free' })
    const { allowed, limit, remaining, reset } = decision
    assert.deepEqual([allowed, limit, remaining, reset], [true, 60, 59, epoch / 1000 + 60])
    assert.deepEqual(headers, [
      ...['X-RateLimit-Limit', '60', 'X-RateLimit-Remaining', '59', 'X-RateLimit-Reset', `${reset}`],
      ...['Cache-Control', 'no-store', 'X-Content-Type-Options', 'nosniff', 'X-Request-Id', 'r1'],
    ])
  })

  it('returns without a promise if the parts do, and waits for parts that promise', async () => {
    assert.ok(!(make().authorize(serviceRequest({ target, headers: keyed })) instanceof Promise))
    const { consume, peek } = createMemoryLimiter({ clock: () => epoch })
    const limiter = { consume: async (...call: Parameters<typeof consume>) => consume(...call), peek }
    const late = make({ keys: { find: async (token) => keys.find(token) }, limiter })
    assert.equal((await accessOf(late)).decision.remaining, 59)
    assert.equal((await rejected(late)).status, 401)
  })

  it('shares the bucket of a caller with the operations of the service', async () => {
    const service = make()
    for (const left of [59, 57]) {
      assert.equal((await accessOf(service)).decision.remaining, left)
      assert.equal(remainingOf(await ask(service, { headers: keyed })), String(left - 1))
    }
  })

  it('charges an anonymous client by its address, as the service does, also behind a proxy', async () => {
    const service = make({ trustProxy: 1 })
    const from = (client: string) => ({ headers: { 'x-forwarded-for': client } })
    const first = await rejected(service, from('198.51.100.1'))
    assert.deepEqual([first.status, codeOf(first), remainingOf(first)], [401, 'missing_api_key', '59'])
    assert.match(first.headers.get('www-authenticate') ?? '', /^Bearer/)
    assert.equal(remainingOf(await ask(service, from('198.51.100.1'))), '58')
    assert.equal(remainingOf(await rejected(service, from('198.51.100.2'))), '59')
  })

  it('is rejected with 429 past the limit, and a ban holds on the route and on the service', async () => {
    let now = epoch
    const service = make({ clock: () => now })
    for (let i = 0; i < 60; i++) await accessOf(service)
    const over = await rejected(service, { headers: keyed })
    assert.deepEqual([over.status, codeOf(over), remainingOf(over)], [429, 'rate_limit_exceeded', '0'])
    assert.ok(Number(over.headers.get('retry-after')) >= 1)
    now += 1_000
    // The requests after the first second count, on the route and on the service in turn.
    for (let i = 0; i < 50; i++) {
      await ask(service, { headers: keyed })
      await authorize(service, { headers: keyed })
    }
    assert.equal(codeOf(await rejected(service, { headers: keyed })), 'api_key_banned')
    assert.equal(codeOf(await ask(service, { headers: keyed })), 'api_key_banned')
  })

  it('guards keys from being guessed at together with the service', async () => {
    const looked: string[] = []
    const service = make({ keys: { find: (token) => void looked.push(token) } })
    for (let i = 0; i < 61; i++) await ask(service)
    for (const token of ['guess-0', 'guess-1'])
      assert.equal((await rejected(service, { headers: { authorization: `Bearer ${token}` } })).status, 429)
    assert.deepEqual(looked, ['guess-0'])
  })

  it('may be anywhere, whatever its path and its method', async () => {
    const service = make({ basePath: '' })
    for (const target of ['/', '/orders?x=1', 'http://shelter.example/orders', '/v1/pets'])
      for (const method of ['GET', 'HEAD', 'DELETE', 'PATCH'])
        await accessOf(service, { method, target, headers: keyed })
  })

  it('is charged before it is rejected for what HTTP itself does not allow', async () => {
    const response = await rejected(make(), { headers: { ...keyed, host: undefined } })
    assert.deepEqual([codeOf(response), remainingOf(response)], ['invalid_request', '59'])
    assert.equal(codeOf(await rejected(make(), { target: '*', headers: keyed })), 'invalid_request')
  })

  it('does not read the body', async () => {
    const request = serviceRequest({ target, method: 'POST', headers: keyed, body: 'x'.repeat(100_000) })
    const body = () => assert.fail('the body is read')
    assert.ok((await make().authorize({ ...request, body })).authorized)
  })

  it('receives what the key store has found, with its type', async () => {
    const find = () => ({ id: 'zoo', plan: 'free' as const, city: 'Berlin' })
    const access = await createPetService({ keys: { find } }).authorize(serviceRequest({ headers: keyed }))
    const city: string | false = access.authorized && access.caller.city
    assert.equal(city, 'Berlin')
  })

  for (const [cause, status] of [
    [new LimiterUnavailable('down'), 503],
    [new Error('down'), 500],
  ] as const) {
    it(`is a ${status} with every header if the limiter throws ${cause.name}, and onError receives it`, async () => {
      const failures: unknown[] = []
      const onError = (reported: unknown, { operation }: ErrorContext) => failures.push([reported, operation])
      const fail = () => Promise.reject(cause)
      const response = await rejected(make({ limiter: { consume: fail, peek: fail }, onError }), {
        headers: keyed,
      })
      assert.deepEqual([response.status, failures], [status, [[cause, undefined]]])
      for (const name of ['x-ratelimit-limit', 'x-ratelimit-reset', 'cache-control'])
        assert.ok(response.headers.has(name), name)
      assert.equal(response.headers.get('retry-after'), status === 503 ? '5' : undefined)
      assert.doesNotMatch(response.text, /down/)
    })
  }

  it('sends onResponse an event without an operation if it is rejected, and none if it is authorized', async () => {
    const events: ResponseEvent[] = []
    const service = make({ onResponse: (event) => events.push(event) })
    await accessOf(service)
    await rejected(service, { method: 'DELETE' })
    const seen = events.map(({ operation, method, status, code, caller, client, decision }) => [
      ...[operation, method, status, code, caller, client],
      decision.remaining,
    ])
    assert.deepEqual(seen, [[undefined, 'DELETE', 401, 'missing_api_key', undefined, '192.0.2.1', 59]])
  })
})

describe('a route of the embedder on pages of other origins', () => {
  const origin = 'https://page.example'
  const preflight = (method: string) => ({
    method: 'OPTIONS',
    headers: { origin, 'access-control-request-method': method },
  })

  it('allows the method that a preflight asks for, without a key and without a charge', async () => {
    const service = make({ cors: [origin] })
    for (const [method, allowed] of [
      ['GET', 'GET'],
      ['DELETE', 'DELETE'],
      ['', ''],
      ['GET, DELETE', ''],
      ['GET\u00ff', ''],
      ['GET x', ''],
    ] as const) {
      const { status, headers, text } = await rejected(service, preflight(method))
      assert.deepEqual([status, text, remainingOf({ headers })], [204, '', '60'])
      assert.equal(headers.get('access-control-allow-origin'), origin)
      assert.equal(headers.get('access-control-allow-methods'), allowed)
    }
  })

  it('has the headers of CORS when it is authorized, and none without the option', async () => {
    const headers = { ...keyed, origin }
    const originOf = async (service: PetService) =>
      joined(inPairs((await accessOf(service, { headers })).headers)).get('access-control-allow-origin')
    assert.equal(await originOf(make({ cors: [origin] })), origin)
    assert.equal(await originOf(make()), undefined)
    assert.equal((await rejected(make(), preflight('GET'))).status, 401)
  })
})

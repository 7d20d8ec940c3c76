import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { LimiterUnavailable, StoreUnavailable } from '../http/errors.ts'
import type { ServiceResponse } from '../http/http.ts'
import type { Decision, RateLimiter } from '../limits/bucket.ts'
import { createMemoryLimiter } from '../limits/memory-limiter.ts'
import { type Asked, serviceRequest } from '../testing/service-request.ts'
import { epoch } from '../testing/traffic.ts'
import type { ErrorContext, ResponseEvent } from './events.ts'
import type { ServiceOptions } from './options.ts'
import type { Authorization } from './service.ts'
import { createPetService, type PetService } from './service.ts'

const keys = {
  find: (token: string) => (token === 'good' ? ({ id: 'zoo', plan: 'free' } as const) : undefined),
}
const keyed = { authorization: 'Bearer good' }
const target = '/v1/store/orders'

function make(options: Partial<ServiceOptions> = {}): PetService {
  const clock = options.clock ?? (() => epoch)
  return createPetService({ keys, clock, limiter: createMemoryLimiter({ clock }), ...options })
}

const authorize = async (service: PetService, asked: Asked = {}): Promise<Authorization> =>
  service.authorize(serviceRequest({ target, ...asked }))

/** Returns the header of a name in lower case. */
function header(headers: readonly string[], name: string): string | undefined {
  const at = headers.findIndex((text, i) => i % 2 === 0 && text.toLowerCase() === name)
  return at < 0 ? undefined : headers[at + 1]
}

async function responseOf(
  service: PetService,
  asked: Asked = {},
): Promise<ServiceResponse & { code?: string }> {
  const access = await authorize(service, asked)
  if (access.authorized) assert.fail('the request is authorized')
  const { code } = JSON.parse(access.response.body ?? '{}')
  return { ...access.response, code }
}

async function accessOf(service: PetService, asked: Asked = {}) {
  const access = await authorize(service, asked)
  if (!access.authorized) assert.fail(access.response.body)
  return access
}

const remainingOf = (headers: readonly string[]) => header(headers, 'x-ratelimit-remaining')

describe('a route of the embedder', () => {
  it('is authorized with a valid key, and receives the caller, its numbers and the headers to send', async () => {
    const { caller, decision, headers } = await accessOf(make({ requestId: () => 'r1' }), { headers: keyed })
    assert.deepEqual(caller, { id: 'zoo', plan: 'free' })
    const { allowed, limit, remaining, reset } = decision
    assert.deepEqual([allowed, limit, remaining, reset], [true, 60, 59, epoch / 1000 + 60])
    assert.deepEqual(headers, [
      ...['X-RateLimit-Limit', '60', 'X-RateLimit-Remaining', '59', 'X-RateLimit-Reset', `${reset}`],
      ...['Cache-Control', 'no-store', 'X-Content-Type-Options', 'nosniff', 'X-Request-Id', 'r1'],
    ])
  })

  it('returns without a promise if the parts do', () => {
    assert.ok(!(make().authorize(serviceRequest({ target, headers: keyed })) instanceof Promise))
  })

  it('waits for parts that promise', async () => {
    const limiter = createMemoryLimiter({ clock: () => epoch })
    const late: RateLimiter = {
      consume: async (...call) => limiter.consume(...call),
      peek: async (...call) => limiter.peek(...call),
    }
    const service = make({ keys: { find: async (token) => keys.find(token) }, limiter: late })
    assert.equal((await accessOf(service, { headers: keyed })).decision.remaining, 59)
    assert.equal((await responseOf(service)).status, 401)
  })

  it('shares the bucket of a caller with the operations of the service', async () => {
    const service = make()
    const numbers = []
    for (let i = 0; i < 3; i++) {
      numbers.push(remainingOf((await accessOf(service, { headers: keyed })).headers))
      numbers.push(remainingOf((await service.handle(serviceRequest({ headers: keyed }))).headers))
    }
    assert.deepEqual(numbers, ['59', '58', '57', '56', '55', '54'])
  })

  it('charges an anonymous client by its address, as the service does, also behind a proxy', async () => {
    const service = make({ trustProxy: 1 })
    const from = (client: string) => ({ headers: { 'x-forwarded-for': client } })
    const first = await responseOf(service, from('198.51.100.1'))
    assert.deepEqual([first.status, first.code, remainingOf(first.headers)], [401, 'missing_api_key', '59'])
    assert.match(header(first.headers, 'www-authenticate') ?? '', /^Bearer/)
    const second = await service.handle(serviceRequest(from('198.51.100.1')))
    assert.equal(remainingOf(second.headers), '58')
    assert.equal(remainingOf((await responseOf(service, from('198.51.100.2'))).headers), '59')
  })

  for (const authorization of ['Bearer bad', 'Bearer', 'Basic x', 'Bearer a b']) {
    it(`is not authorized by "${authorization}"`, async () => {
      assert.equal((await responseOf(make(), { headers: { authorization } })).status, 401)
    })
  }

  it('is rejected with 429 past the limit, and a ban holds on the route and on the service', async () => {
    let now = epoch
    const service = make({ clock: () => now })
    for (let i = 0; i < 60; i++) await accessOf(service, { headers: keyed })
    const over = await responseOf(service, { headers: keyed })
    assert.deepEqual([over.status, over.code, remainingOf(over.headers)], [429, 'rate_limit_exceeded', '0'])
    assert.ok(Number(header(over.headers, 'retry-after')) >= 1)
    now += 1_000
    // The requests after the first second count, on the route and on the service in turn.
    for (let i = 0; i < 50; i++) {
      await service.handle(serviceRequest({ headers: keyed }))
      await authorize(service, { headers: keyed })
    }
    assert.equal((await responseOf(service, { headers: keyed })).code, 'api_key_banned')
    const { body = '{}' } = await service.handle(serviceRequest({ headers: keyed }))
    assert.equal(JSON.parse(String(body)).code, 'api_key_banned')
  })

  it('guards keys from being guessed at together with the service', async () => {
    const looked: string[] = []
    const find = (token: string) => {
      looked.push(token)
      return undefined
    }
    const service = make({ keys: { find } })
    for (let i = 0; i < 61; i++) await service.handle(serviceRequest())
    for (let i = 0; i < 5; i++) {
      const guess = { headers: { authorization: `Bearer guess-${i}` } }
      assert.equal((await responseOf(service, guess)).status, 429)
    }
    assert.deepEqual(looked, ['guess-0'])
  })

  it('looks a withheld key up if the limiter admits the address after all', async () => {
    const limiter = createMemoryLimiter({ clock: () => epoch })
    let isSpent = true
    const service = make({
      limiter: {
        peek: (...call) => limiter.peek(...call),
        consume(key, limits) {
          const decision = limiter.consume(key, limits)
          return isSpent && key.startsWith('address:')
            ? { ...decision, allowed: false, waitMs: 60_000 }
            : decision
        },
      },
    })
    await responseOf(service)
    assert.equal((await responseOf(service, { headers: { authorization: 'Bearer guess' } })).status, 429)
    isSpent = false
    const { caller, decision } = await accessOf(service, { headers: keyed })
    assert.deepEqual([caller.id, decision.remaining], ['zoo', 59])
  })

  it('may be anywhere, whatever its path and its method', async () => {
    const service = make({ basePath: '' })
    for (const target of ['/', '/orders?x=1', 'http://shelter.example/orders', '/v1/pets'])
      for (const method of ['GET', 'HEAD', 'DELETE', 'PATCH'])
        await accessOf(service, { method, target, headers: keyed })
  })

  it('is charged before it is rejected for what HTTP itself does not allow', async () => {
    const response = await responseOf(make(), { headers: { ...keyed, host: undefined } })
    assert.deepEqual([response.code, remainingOf(response.headers)], ['invalid_request', '59'])
    assert.equal((await responseOf(make(), { target: '*', headers: keyed })).code, 'invalid_request')
  })

  it('does not read the body', async () => {
    const request = serviceRequest({ target, method: 'POST', headers: keyed, body: 'x'.repeat(100_000) })
    const body = () => assert.fail('the body is read')
    assert.ok((await make().authorize({ ...request, body })).authorized)
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
    for (const method of ['GET', 'DELETE']) {
      const { status, headers, body } = await responseOf(service, preflight(method))
      assert.deepEqual([status, body, remainingOf(headers)], [204, undefined, '60'])
      assert.equal(header(headers, 'access-control-allow-origin'), origin)
      assert.equal(header(headers, 'access-control-allow-methods'), method)
    }
  })

  for (const method of ['', 'GET, DELETE', 'GET\u00ff', 'G€T', 'GET x']) {
    it(`allows no method for a preflight that asks for ${JSON.stringify(method)}`, async () => {
      const { headers } = await responseOf(make({ cors: [origin] }), preflight(method))
      assert.equal(header(headers, 'access-control-allow-methods'), '')
    })
  }

  it('has the headers of CORS when it is authorized, and none without the option', async () => {
    const headers = { ...keyed, origin }
    const allowed = (await accessOf(make({ cors: [origin] }), { headers })).headers
    assert.equal(header(allowed, 'access-control-allow-origin'), origin)
    const without = (await accessOf(make(), { headers })).headers
    assert.equal(header(without, 'access-control-allow-origin'), undefined)
    assert.equal((await responseOf(make(), preflight('GET'))).status, 401)
  })
})

describe('a part that fails for a route of the embedder', () => {
  const noDecision = () => undefined as unknown as Decision // what a limiter without types may return
  const failing = (cause: Error): RateLimiter => ({
    consume: () => Promise.reject(cause),
    peek: () => Promise.reject(cause),
  })
  const rejecting = (cause: Error) => ({ find: () => Promise.reject(cause) })
  const cases: readonly (readonly [what: string, options: Partial<ServiceOptions>, status: number])[] = [
    ['a limiter that is away', { limiter: failing(new LimiterUnavailable('down')) }, 503],
    ['a limiter with a defect', { limiter: failing(new Error('down')) }, 500],
    ['a limiter without a decision', { limiter: { consume: noDecision, peek: noDecision } }, 500],
    ['a key store that is away', { keys: rejecting(new StoreUnavailable('down')) }, 503],
    ['a key store with a defect', { keys: rejecting(new Error('down')) }, 500],
  ]
  for (const [what, options, status] of cases) {
    it(`as ${what} is a ${status} with every header, and onError receives the cause`, async () => {
      const failures: ErrorContext[] = []
      const onError = (_cause: unknown, context: ErrorContext) => failures.push(context)
      const response = await responseOf(make({ ...options, onError }), { headers: keyed })
      assert.equal(response.status, status)
      for (const name of ['limit', 'remaining', 'reset'])
        assert.match(header(response.headers, `x-ratelimit-${name}`) ?? '', /^\d+$/)
      assert.equal(header(response.headers, 'cache-control'), 'no-store')
      assert.equal(header(response.headers, 'retry-after'), status === 503 ? '5' : undefined)
      assert.equal(failures[0]?.operation, undefined)
      assert.doesNotMatch(response.body ?? '', /down/)
    })
  }
})

describe('the hook for responses', () => {
  it('receives an event without an operation for a rejected route, and none for an authorized one', async () => {
    const events: ResponseEvent[] = []
    const service = make({ onResponse: (event) => events.push(event) })
    await accessOf(service, { headers: keyed })
    await responseOf(service, { method: 'DELETE' })
    const seen = events.map(({ operation, method, status, code, caller, client, decision }) => [
      ...[operation, method, status, code, caller, client],
      decision.remaining,
    ])
    assert.deepEqual(seen, [[undefined, 'DELETE', 401, 'missing_api_key', undefined, '192.0.2.1', 59]])
  })
})

it('returns what the key store has found, with its type', async () => {
  const find = () => ({ id: 'zoo', plan: 'free' as const, city: 'Berlin' })
  const access = await createPetService({ keys: { find } }).authorize(
    serviceRequest({ target, headers: keyed }),
  )
  assert.ok(access.authorized)
  const city: string = access.caller.city
  assert.equal(city, 'Berlin')
})

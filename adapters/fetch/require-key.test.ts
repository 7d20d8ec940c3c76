import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ServiceOptions } from '../../core/index.ts'
import { auth, testService } from '../testing/mount-suite/open.ts'
import { createFetchHandler, requireKey } from './index.ts'

const url = 'http://pets.example/orders'
const ask = (...headers: (readonly [string, string])[]) =>
  new Request(url, { headers: headers.map(([name, value]) => [name, value] as [string, string]) })

const check = (options: Partial<ServiceOptions> = {}) => requireKey(testService(options))

describe('requireKey of Fetch', () => {
  it('resolves to the caller and the headers of a response', async () => {
    const request = new Request(url, { method: 'POST', headers: [[...auth.zoo]], body: 'two' })
    const access = await check()(request)
    assert.ok(!(access instanceof Response))
    assert.deepEqual([access.caller.id, access.headers.get('x-ratelimit-remaining')], ['zoo', '99999'])
    assert.equal(await request.text(), 'two')
    const response = Response.json([], { headers: access.headers })
    assert.equal(response.headers.get('cache-control'), 'no-store')
  })

  it('shares the limits of the service', async () => {
    const service = testService()
    const authenticate = requireKey(service)
    assert.ok(!((await authenticate(ask(auth.small))) instanceof Response))
    const pets = createFetchHandler(service)
    assert.equal((await pets(new Request('http://x/v1/pets', { headers: [[...auth.small]] }))).status, 200)
    const rejected = await authenticate(ask(auth.small))
    assert.ok(rejected instanceof Response)
    assert.equal(rejected.status, 429)
  })

  for (const [what, headers, status] of [
    ['no key', [], 401],
    ['an unknown key', [auth.unknown], 401],
    ['an unknown expectation', [auth.zoo, ['Expect', 'wonders']], 417],
  ] as const) {
    it(`resolves to a response to ${what}`, async () => {
      const access = await check()(ask(...headers))
      assert.ok(access instanceof Response)
      assert.equal(access.status, status)
    })
  }

  it('resolves to the response to a preflight', async () => {
    const headers = { Origin: 'https://pets.example', 'Access-Control-Request-Method': 'DELETE' }
    const access = await check({ cors: ['https://pets.example'] })(
      new Request(url, { method: 'OPTIONS', headers }),
    )
    assert.ok(access instanceof Response)
    assert.deepEqual([access.status, access.headers.get('access-control-allow-methods')], [204, 'DELETE'])
  })

  it('charges the address of the platform or of the option', async () => {
    const service = testService()
    const remaining = async (access: Promise<unknown>) => {
      const response = await access
      assert.ok(response instanceof Response)
      return Number(response.headers.get('x-ratelimit-remaining'))
    }
    const authenticate = requireKey(service)
    const withOption = requireKey(service, { client: (_request, info?: string) => info })
    const from = (hostname: string) => ({ remoteAddr: { hostname } })
    assert.equal(await remaining(authenticate(ask(), from('192.0.2.1'))), 59)
    assert.equal(await remaining(authenticate(ask(), from('192.0.2.2'))), 59)
    assert.equal(await remaining(withOption(ask(), '192.0.2.1')), 58)
  })

  it('resolves to a 500 and reports it if the service rejects', async () => {
    const causes: unknown[] = []
    const service = testService({ onError: (cause) => causes.push(cause) })
    const broken = { ...service, authenticate: () => Promise.reject(new Error('a broken service')) }
    const access = await requireKey(broken)(ask())
    assert.ok(access instanceof Response)
    assert.equal(access.status, 500)
    assert.match(access.headers.get('x-ratelimit-limit') ?? '', /^\d+$/)
    assert.match(String(causes), /a broken service/)
  })

  it('rejects unknown options and a missing service', () => {
    const none = undefined as never // what an embedder without types may pass
    assert.throws(() => requireKey(none), { name: 'TypeError', message: /createPetService/ })
    const options = { bodyTimeoutMs: 5 } as object
    assert.throws(() => requireKey(testService(), options), { name: 'TypeError', message: /client/ })
  })
})

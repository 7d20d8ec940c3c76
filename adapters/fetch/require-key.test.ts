import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ServiceOptions } from '../../core/index.ts'
import { authHeaders, createTestService } from '../testing/mount-suite/open-mount.ts'
import { createFetchHandler, requireKey } from './index.ts'

const url = 'http://pets.example/orders'
const createKeyRequest = (...headers: (readonly [string, string])[]) =>
  new Request(url, { headers: headers.map(([name, value]) => [name, value] as [string, string]) })

const createCheck = (options: Partial<ServiceOptions> = {}) => requireKey(createTestService(options))

describe('requireKey', () => {
  it('returns the caller and headers, and does not read the body', async () => {
    const request = new Request(url, { method: 'POST', headers: [[...authHeaders.zoo]], body: 'two' })
    const access = await createCheck()(request)
    assert.ok(!(access instanceof Response))
    assert.deepEqual([access.caller.id, access.headers.get('x-ratelimit-remaining')], ['zoo', '99999'])
    assert.equal(await request.text(), 'two')
    const response = Response.json([], { headers: access.headers })
    assert.equal(response.headers.get('cache-control'), 'no-store')
  })

  it('shares the rate limit with the service', async () => {
    const service = createTestService()
    const authenticate = requireKey(service)
    assert.ok(!((await authenticate(createKeyRequest(authHeaders.small))) instanceof Response))
    const pets = createFetchHandler(service)
    assert.equal(
      (await pets(new Request('http://x/v1/pets', { headers: [[...authHeaders.small]] }))).status,
      200,
    )
    const rejection = await authenticate(createKeyRequest(authHeaders.small))
    assert.ok(rejection instanceof Response)
    assert.equal(rejection.status, 429)
  })

  for (const [what, headers, status] of [
    ['no key', [], 401],
    ['an unknown key', [authHeaders.unknown], 401],
    ['an unknown expectation', [authHeaders.zoo, ['Expect', 'wonders']], 417],
  ] as const) {
    it(`returns an error response for ${what}`, async () => {
      const access = await createCheck()(createKeyRequest(...headers))
      assert.ok(access instanceof Response)
      assert.equal(access.status, status)
    })
  }

  it('responds to a CORS preflight request', async () => {
    const headers = { Origin: 'https://pets.example', 'Access-Control-Request-Method': 'DELETE' }
    const access = await createCheck({ cors: ['https://pets.example'] })(
      new Request(url, { method: 'OPTIONS', headers }),
    )
    assert.ok(access instanceof Response)
    assert.deepEqual([access.status, access.headers.get('access-control-allow-methods')], [204, 'DELETE'])
  })

  it('limits anonymous clients by their address', async () => {
    const service = createTestService()
    const readRemaining = async (access: Promise<unknown>) => {
      const response = await access
      assert.ok(response instanceof Response)
      return Number(response.headers.get('x-ratelimit-remaining'))
    }
    const authenticate = requireKey(service)
    const withOption = requireKey(service, { clientAddress: (_request, info?: string) => info })
    const createInfo = (hostname: string) => ({ remoteAddr: { hostname } })
    assert.equal(await readRemaining(authenticate(createKeyRequest(), createInfo('192.0.2.1'))), 59)
    assert.equal(await readRemaining(authenticate(createKeyRequest(), createInfo('192.0.2.2'))), 59)
    assert.equal(await readRemaining(withOption(createKeyRequest(), '192.0.2.1')), 58)
  })

  it('reports an error in the service, and responds with 500', async () => {
    const reportedCauses: unknown[] = []
    const service = createTestService({ onError: (cause) => reportedCauses.push(cause) })
    const brokenService = { ...service, authenticate: () => Promise.reject(new Error('a broken service')) }
    const access = await requireKey(brokenService)(createKeyRequest())
    assert.ok(access instanceof Response)
    assert.equal(access.status, 500)
    assert.match(access.headers.get('x-ratelimit-limit') ?? '', /^\d+$/)
    assert.match(String(reportedCauses), /a broken service/)
  })

  it('throws for an invalid service or option', () => {
    const missingArgument = undefined as never // TypeScript would reject the value
    assert.throws(() => requireKey(missingArgument), { name: 'TypeError', message: /createPetService/ })
    const options = { bodyTimeoutMs: 5 } as object
    assert.throws(() => requireKey(createTestService(), options), { name: 'TypeError', message: /client/ })
  })
})

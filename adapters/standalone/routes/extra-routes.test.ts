import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  createMemoryLimiter,
  createPetService,
  LimiterUnavailableError,
  type RateLimiter,
  type ServiceRequest,
  type TrustProxy,
} from '../../../core/index.ts'
import { createClientAddressReader } from '../../../core/internal.ts'
import { type RequestOptions, sendRequest, type TestResponse } from '../../../core/testing/service-request.ts'
import type { LoggedResponse } from '../log/log-format.ts'
import { addExtraRoutes, type Page, type Pages } from './extra-routes.ts'

const now = 1_795_132_800_000
const page: Page = ({ method }) => ({ status: 200, rawHeaders: ['X-Page', method], body: 'page' })
const apiNumbers = { allowed: true, banned: false, limit: 60, remaining: 7, reset: 9, waitMs: 0 }
const uncharged: RateLimiter = { consume: () => assert.fail('a bucket is charged'), peek: () => apiNumbers }

interface Site {
  readonly responses: LoggedResponse[]
  /** Reported errors, each with the page's path. */
  readonly errors: string[]
  ask(target: string, request?: RequestOptions): Promise<TestResponse>
}

/** Creates a service with extra pages, and collects what it logs. */
function createSite(
  options: {
    basePath?: string
    limiter?: RateLimiter
    trustProxy?: TrustProxy
    clock?: () => number
    pages?: Pages
  } = {},
): Site {
  const { clock = () => now, pages = {}, ...given } = options
  const responses: LoggedResponse[] = []
  const errors: string[] = []
  const service = addExtraRoutes(
    createPetService({ keys: { find: () => undefined }, limiter: uncharged, clock, ...given }),
    { unlimited: { '/health': page }, limited: { '/page': page, '/other': page, ...pages } },
    {
      clock,
      readClientAddress: createClientAddressReader(given.trustProxy),
      requestId: () => 'r1',
      onError: (cause, { operation }) => errors.push(`${operation}: ${(cause as Error).message}`),
      onResponse: (response) => responses.push(response),
    },
  )
  return { responses, errors, ask: (target, request) => sendRequest(service, { target, ...request }) }
}

const parseCode = ({ text }: TestResponse) => JSON.parse(text).code
const readNumbers = ({ headers }: TestResponse) =>
  ['limit', 'remaining', 'reset'].map((name) => headers.get(`x-ratelimit-${name}`))

describe('a page outside the base path', () => {
  it('responds to GET and HEAD with rate-limit headers', async () => {
    for (const target of ['/page', '/page?token=secret', 'http://other/page', 'HTTPS://other:81/page?x=/'])
      for (const method of ['GET', 'HEAD']) {
        const { ask, responses } = createSite()
        const response = await ask(target, { method })
        const { status, headers, text } = response
        const [{ operation, requestId, clientAddress } = assert.fail()] = responses
        assert.deepEqual([operation, requestId, clientAddress], ['/page', 'r1', '192.0.2.1'])
        assert.ok(!JSON.stringify(responses).includes('secret'))
        assert.deepEqual([status, text, headers.get('x-page')], [200, 'page', method])
        assert.deepEqual(readNumbers(response), ['60', '59', String(now / 1000 + 60)])
        assert.equal(headers.get('x-request-id'), 'r1')
      }
  })

  for (const [problem, status, code, request] of [
    ['POST', 405, 'method_not_allowed', { method: 'POST' }],
    ['OPTIONS', 405, 'method_not_allowed', { method: 'OPTIONS' }],
    ['no Host', 400, 'invalid_request', { headers: { host: undefined } }],
    ['two Hosts', 400, 'invalid_request', { headers: { host: 'x, y' } }],
    [
      'an unknown transfer coding',
      400,
      'invalid_request',
      { headers: { 'transfer-encoding': 'gzip, chunked' } },
    ],
    ['an unknown expectation', 417, 'expectation_failed', { headers: { expect: '200-ok' } }],
  ] as const)
    it(`rejects ${problem}`, async () => {
      const site = createSite()
      for (const path of ['/page', '/health']) {
        const response = await site.ask(path, request)
        assert.deepEqual([response.status, parseCode(response)], [status, code], path)
        assert.equal(response.headers.get('allow') === 'GET, HEAD', status === 405)
        assert.ok(readNumbers(response).every((number) => Number(number) > 0))
      }
      assert.deepEqual(
        site.responses.map((response) => response.code),
        [code, code],
      )
    })

  it('has a rate limit per client address, separate from the API', async () => {
    let time = now
    const { ask, responses } = createSite({
      clock: () => time,
      limiter: createMemoryLimiter({ clock: () => now }),
    })
    for (let i = 0; i < 30; i++) await ask('/page', { headers: { host: undefined } }) // requests that fail are charged too
    for (let i = 0; i < 30; i++) assert.equal((await ask(i % 2 ? '/page' : '/other')).status, 200)
    for (let i = 0; i < 200; i++) assert.equal(parseCode(await ask('/page')), 'rate_limit_exceeded')
    const rejected = await ask('/page')
    assert.equal(rejected.status, 429)
    assert.deepEqual(readNumbers(rejected), ['60', '0', String(now / 1000 + 60)])
    assert.equal(rejected.headers.get('retry-after'), '60')
    assert.equal(responses.at(-1)?.code, 'rate_limit_exceeded')
    for (let i = 0; i < 60; i++)
      assert.equal((await ask('/v1/pets')).status, 401, 'the API has its own limit')
    assert.equal((await ask('/v1/pets')).status, 429)
    assert.equal((await ask('/page', { clientAddress: '192.0.2.2' })).status, 200)
    time += 60_000
    assert.equal((await ask('/page')).status, 200)
  })

  it('limits the clients behind a trusted proxy separately', async () => {
    const { ask } = createSite({ trustProxy: 1 })
    const statusFrom = async (address: string) =>
      (await ask('/page', { headers: { 'x-forwarded-for': address } })).status
    for (let i = 0; i < 60; i++) await statusFrom('198.51.100.1')
    assert.deepEqual([await statusFrom('198.51.100.1'), await statusFrom('198.51.100.2')], [429, 200])
  })

  it('is not limited if it is a health check', async () => {
    const { ask } = createSite()
    for (let i = 0; i < 200; i++) {
      const response = await ask('/health', { method: i < 199 ? 'GET' : 'POST' })
      assert.equal(response.status, i < 199 ? 200 : 405)
      assert.deepEqual(readNumbers(response), ['60', '7', '9'])
    }
  })

  it('requires its exact path', async () => {
    const { ask, responses } = createSite()
    for (const target of [
      '/',
      '/pages',
      '/page/',
      '//page',
      '*',
      '/PAGE',
      '/%2Fpage',
      '/%70age',
      'http://x/%70age',
    ]) {
      const response = await ask(target, { method: target === '*' ? 'OPTIONS' : 'GET' })
      assert.deepEqual([response.status, parseCode(response)], [404, 'route_not_found'], target)
    }
    assert.deepEqual(responses, [])
  })

  it('must not be below the base path', () => {
    const message = 'the base path /page covers /page: choose another with --base-path'
    assert.throws(() => createSite({ basePath: '/page' }), { name: 'UsageError', message })
    assert.throws(() => createSite({ basePath: '' }), { name: 'UsageError' })
  })

  it('works while the rate limiter is unavailable', async () => {
    const fail = () => {
      throw new LimiterUnavailableError('gone')
    }
    const { ask } = createSite({ limiter: { consume: fail, peek: fail } })
    for (const path of ['/page', '/health']) {
      const { status, headers } = await ask(path, { clientAddress: undefined })
      assert.equal(status, 200)
      assert.ok(headers.has('x-ratelimit-limit'))
    }
  })

  it('returns 500 and reports the error if it fails', async () => {
    let failures = 2
    const failing: Page = () => {
      if (failures-- > 0) throw new Error('descriptors are exhausted')
      return page({ method: 'GET' } as ServiceRequest)
    }
    const rejecting: Page = async (request) => failing(request)
    for (const broken of [failing, rejecting]) {
      failures = 1
      const { ask, errors, responses } = createSite({ pages: { '/broken': broken } })
      const response = await ask('/broken')
      assert.deepEqual([response.status, parseCode(response)], [500, 'internal_error'])
      assert.ok(readNumbers(response).every((number) => Number(number) > 0))
      assert.deepEqual(errors, ['/broken: descriptors are exhausted'])
      assert.equal(responses[0]?.code, 'internal_error')
      assert.equal((await ask('/broken')).status, 200)
    }
  })
})

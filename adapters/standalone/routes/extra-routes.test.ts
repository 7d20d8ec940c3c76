import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  createMemoryLimiter,
  createPetService,
  LimiterUnavailable,
  type RateLimiter,
  type ServiceRequest,
  type TrustProxy,
} from '../../../core/index.ts'
import { createClientReader } from '../../../core/internal.ts'
import { type Asked, ask, type Received } from '../../../core/testing/service-request.ts'
import type { LoggedResponse } from '../log/log-format.ts'
import { type Page, type Pages, withExtraRoutes } from './extra-routes.ts'

const now = 1_795_132_800_000
const page: Page = ({ method }) => ({ status: 200, rawHeaders: ['X-Page', method], body: 'page' })
const apiNumbers = { allowed: true, banned: false, limit: 60, remaining: 7, reset: 9, waitMs: 0 }
const uncharged: RateLimiter = { consume: () => assert.fail('a bucket is charged'), peek: () => apiNumbers }

interface Site {
  readonly responses: LoggedResponse[]
  /** Calls of `onError`, as `operation: message`. */
  readonly errors: string[]
  ask(target: string, request?: Asked): Promise<Received>
}

/** A service with a page of each kind; `limiter` is the limiter of its API. */
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
  const service = withExtraRoutes(
    createPetService({ keys: { find: () => undefined }, limiter: uncharged, clock, ...given }),
    { unlimited: { '/health': page }, limited: { '/page': page, '/other': page, ...pages } },
    {
      clock,
      readClient: createClientReader(given.trustProxy),
      requestId: () => 'r1',
      onError: (cause, { operation }) => errors.push(`${operation}: ${(cause as Error).message}`),
      onResponse: (response) => responses.push(response),
    },
  )
  return { responses, errors, ask: (target, request) => ask(service, { target, ...request }) }
}

const parseCode = ({ text }: Received) => JSON.parse(text).code
const readNumbers = ({ headers }: Received) =>
  ['limit', 'remaining', 'reset'].map((name) => headers.get(`x-ratelimit-${name}`))

describe('an extra page', () => {
  it('responds to GET and HEAD with its limit; the log has only its path', async () => {
    for (const target of ['/page', '/page?token=secret', 'http://other/page', 'HTTPS://other:81/page?x=/'])
      for (const method of ['GET', 'HEAD']) {
        const { ask, responses } = createSite()
        const response = await ask(target, { method })
        const { status, headers, text } = response
        const [{ operation, requestId, client } = assert.fail()] = responses
        assert.deepEqual([operation, requestId, client], ['/page', 'r1', '192.0.2.1'])
        assert.ok(!JSON.stringify(responses).includes('secret'))
        assert.deepEqual([status, text, headers.get('x-page')], [200, 'page', method])
        assert.deepEqual(readNumbers(response), ['60', '59', String(now / 1000 + 60)])
        assert.equal(headers.get('x-request-id'), 'r1')
      }
  })

  for (const [problem, status, code, request] of [
    ['another method', 405, 'method_not_allowed', { method: 'POST' }],
    ['OPTIONS', 405, 'method_not_allowed', { method: 'OPTIONS' }],
    ['no Host', 400, 'invalid_request', { headers: { host: undefined } }],
    ['two Hosts', 400, 'invalid_request', { headers: { host: 'x, y' } }],
    ['an unknown coding', 400, 'invalid_request', { headers: { 'transfer-encoding': 'gzip, chunked' } }],
    ['an unknown expectation', 417, 'expectation_failed', { headers: { expect: '200-ok' } }],
  ] as const)
    it(`checks a request as the service does: ${problem}`, async () => {
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

  it('is limited to 60 requests per minute of an address, without bans', async () => {
    let time = now
    const { ask, responses } = createSite({
      clock: () => time,
      limiter: createMemoryLimiter({ clock: () => now }),
    })
    for (let i = 0; i < 30; i++) await ask('/page', { headers: { host: undefined } }) // it counts too
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
    assert.equal((await ask('/page', { client: '192.0.2.2' })).status, 200)
    time += 60_000
    assert.equal((await ask('/page')).status, 200)
  })

  it('has a limit for each client address behind a proxy', async () => {
    const { ask } = createSite({ trustProxy: 1 })
    const statusFrom = async (address: string) =>
      (await ask('/page', { headers: { 'x-forwarded-for': address } })).status
    for (let i = 0; i < 60; i++) await statusFrom('198.51.100.1')
    assert.deepEqual([await statusFrom('198.51.100.1'), await statusFrom('198.51.100.2')], [429, 200])
  })

  it('is never charged if it is unlimited, and shows the limit of the API', async () => {
    const { ask } = createSite()
    for (let i = 0; i < 200; i++) {
      const response = await ask('/health', { method: i < 199 ? 'GET' : 'POST' })
      assert.equal(response.status, i < 199 ? 200 : 405)
      assert.deepEqual(readNumbers(response), ['60', '7', '9'])
    }
  })

  it('leaves other paths, and other spellings of its own, to the service', async () => {
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

  it('cannot be hidden by a base path', () => {
    const message = 'the base path /page covers /page: choose another with --base-path'
    assert.throws(() => createSite({ basePath: '/page' }), { name: 'UsageError', message })
    assert.throws(() => createSite({ basePath: '' }), { name: 'UsageError' })
  })

  it('responds while the limiter fails', async () => {
    const fail = () => {
      throw new LimiterUnavailable('gone')
    }
    const { ask } = createSite({ limiter: { consume: fail, peek: fail } })
    for (const path of ['/page', '/health']) {
      const { status, headers } = await ask(path, { client: undefined })
      assert.equal(status, 200)
      assert.ok(headers.has('x-ratelimit-limit'))
    }
  })

  it('is a 500 when it fails, and is tried again', async () => {
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

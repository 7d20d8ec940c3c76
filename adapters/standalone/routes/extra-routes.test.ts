import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  createMemoryLimiter,
  createPetService,
  LimiterUnavailable,
  type PetService,
  type RateLimiter,
  type ServiceRequest,
  type ServiceResponse,
  type TrustProxy,
} from '../../../core/index.ts'
import { createClientReader } from '../../../core/internal.ts'
import type { LoggedResponse } from '../log/log-format.ts'
import { type Page, withExtraRoutes } from './extra-routes.ts'

const now = 1_795_132_800_000
const page: Page = ({ method }) => ({ status: 200, headers: ['X-Page', method], body: 'page' })
const apiNumbers = { allowed: true, banned: false, limit: 60, remaining: 7, reset: 9, waitMs: 0 }

interface Site {
  readonly responses: LoggedResponse[]
  readonly charged: string[]
  ask(target: string, request?: Partial<ServiceRequest> & { headers?: object }): Promise<ServiceResponse>
}

/** A service with a page of each kind; `limiter` is the limiter of its API. */
function createSite(
  options: { basePath?: string; limiter?: RateLimiter; trustProxy?: TrustProxy; clock?: () => number } = {},
): Site {
  const { clock = () => now, ...given } = options
  const [responses, charged]: [LoggedResponse[], string[]] = [[], []]
  const limiter: RateLimiter = {
    consume(key) {
      charged.push(key)
      return apiNumbers
    },
    peek: () => apiNumbers,
  }
  const service = createPetService({ keys: { find: () => undefined }, limiter, clock, ...given })
  const extended: PetService = withExtraRoutes(
    service,
    { unlimited: { '/health': page }, limited: { '/page': page, '/other': page } },
    {
      clock,
      readClient: createClientReader(given.trustProxy),
      requestId: () => 'r1',
      onResponse: (response) => responses.push(response),
    },
  )
  return {
    responses,
    charged,
    async ask(target, { headers = { host: 'x' }, ...request } = {}) {
      const fields = new Map(Object.entries(headers))
      return extended.handle({
        method: 'GET',
        target,
        httpVersion: '1.1',
        client: '192.0.2.1',
        header: (name) => fields.get(name),
        body: () => Promise.reject(new Error('no page reads a body')),
        ...request,
      })
    },
  }
}

const headerOf = ({ headers }: ServiceResponse, name: string) => headers[headers.indexOf(name) + 1]
const codeOf = ({ body }: ServiceResponse) => JSON.parse(String(body)).code
const numbersOf = (response: ServiceResponse) =>
  ['Limit', 'Remaining', 'Reset'].map((name) => headerOf(response, `X-RateLimit-${name}`))

/** Asks for limited pages until their limit is reached. */
async function exhaust({ ask }: Site, request?: Parameters<Site['ask']>[1]): Promise<void> {
  for (let i = 0; i < 60; i++) assert.equal((await ask(i % 2 ? '/page' : '/other', request)).status, 200)
}

test('GET and HEAD return a page, with any query, with the numbers of its limit and a request id', async () => {
  for (const target of ['/page', '/page?verbose', 'http://other/page', 'HTTPS://other:81/page?x=/']) {
    for (const method of ['GET', 'HEAD']) {
      const { status, headers, body } = await createSite().ask(target, { method })
      assert.deepEqual([status, body], [200, 'page'])
      assert.deepEqual(headers, [
        ...['X-Page', method],
        ...['X-RateLimit-Limit', '60', 'X-RateLimit-Remaining', '59'],
        ...['X-RateLimit-Reset', String(now / 1000 + 60)],
        ...['X-Request-Id', 'r1'],
      ])
    }
  }
})

test('any other method of a page returns 405', async () => {
  const { ask } = createSite()
  for (const path of ['/page', '/health'])
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
      const response = await ask(path, { method })
      assert.deepEqual([response.status, codeOf(response)], [405, 'method_not_allowed'])
      assert.equal(headerOf(response, 'Allow'), 'GET, HEAD')
    }
})

for (const [problem, status, request] of [
  ['no Host', 400, { headers: {} }],
  ['two Hosts', 400, { headers: { host: 'x, y' } }],
  ['an unknown transfer coding', 400, { headers: { host: 'x', 'transfer-encoding': 'gzip, chunked' } }],
  ['an unknown expectation', 417, { headers: { host: 'x', expect: '200-ok' } }],
] as const)
  test(`a page checks a request as the service does: ${problem}`, async () => {
    const site = createSite()
    for (const path of ['/page', '/health', '/v1/pets']) {
      const response = await site.ask(path, request)
      assert.equal(response.status, status, path)
      assert.equal(codeOf(response), status === 400 ? 'invalid_request' : 'expectation_failed')
      assert.ok(numbersOf(response).every((number) => Number(number) > 0))
    }
    assert.deepEqual(
      site.responses.map(({ code }) => code === undefined),
      [false, false],
    )
  })

test('an address has 60 pages a minute, of all kinds together, and no flood of rejected requests becomes a ban', async () => {
  let time = now
  const site = createSite({ clock: () => time, limiter: createMemoryLimiter({ clock: () => now }) })
  for (let i = 0; i < 30; i++) await site.ask('/page', { headers: {} }) // what HTTP cannot accept counts too
  for (let i = 0; i < 30; i++) assert.equal((await site.ask(i % 2 ? '/page' : '/other')).status, 200)
  for (let i = 0; i < 200; i++) assert.equal(codeOf(await site.ask('/page')), 'rate_limit_exceeded')
  const rejected = await site.ask('/page')
  assert.equal(rejected.status, 429)
  assert.deepEqual(numbersOf(rejected), ['60', '0', String(now / 1000 + 60)])
  assert.equal(headerOf(rejected, 'Retry-After'), '60')
  assert.equal(site.responses.at(-1)?.code, 'rate_limit_exceeded')
  for (let i = 0; i < 60; i++)
    assert.equal((await site.ask('/v1/pets')).status, 401, 'the API has its own limit')
  assert.equal((await site.ask('/v1/pets')).status, 429)
  assert.equal((await site.ask('/page', { client: '192.0.2.2' })).status, 200)
  time += 60_000
  assert.equal((await site.ask('/page')).status, 200)
})

test('each address has pages of its own, also behind a proxy', async () => {
  const site = createSite({ trustProxy: 1 })
  const from = (address: string) => ({ headers: { host: 'x', 'x-forwarded-for': address } })
  await exhaust(site, from('198.51.100.1'))
  assert.equal((await site.ask('/page', from('198.51.100.1'))).status, 429)
  assert.equal((await site.ask('/page', from('198.51.100.2'))).status, 200)
})

test('an unlimited page is never rejected, charges no bucket, and has the numbers of the client address', async () => {
  const site = createSite()
  await exhaust(site)
  for (let i = 0; i < 200; i++) {
    const response = await site.ask('/health')
    assert.equal(response.status, 200)
    assert.deepEqual(numbersOf(response), ['60', '7', '9'])
  }
  await site.ask('/health', { method: 'POST' })
  assert.deepEqual(site.charged, [])
})

test('a page is logged by its path, without the query', async () => {
  const { ask, responses } = createSite()
  await ask('/page?token=secret')
  const [{ operation, status, requestId, client } = assert.fail()] = responses
  assert.deepEqual([operation, status, requestId, client], ['/page', 200, 'r1', '192.0.2.1'])
  assert.ok(!JSON.stringify(responses).includes('secret'))
})

test('the service handles every other path, also another spelling of the path of a page', async () => {
  const { ask, responses } = createSite()
  const others = ['/', '/pages', '/page/', '//page', '*', '/PAGE', '/%2Fpage', '/%70age', 'http://x/%70age']
  for (const target of others) {
    const response = await ask(target, { method: target === '*' ? 'OPTIONS' : 'GET' })
    assert.deepEqual([response.status, codeOf(response)], [404, 'route_not_found'], target)
  }
  assert.deepEqual(responses, [])
})

test('a base path must leave the pages visible', () => {
  assert.throws(() => createSite({ basePath: '/page' }), {
    name: 'UsageError',
    message: 'the base path /page covers /page: choose another with --base-path',
  })
  assert.throws(() => createSite({ basePath: '' }), { name: 'UsageError' })
})

test('a page is there while the limiter fails', async () => {
  const fail = () => {
    throw new LimiterUnavailable('gone')
  }
  const { ask } = createSite({ limiter: { consume: fail, peek: fail } })
  for (const path of ['/page', '/health']) {
    const response = await ask(path, { client: undefined })
    assert.equal(response.status, 200)
    assert.ok(response.headers.includes('X-RateLimit-Limit'))
  }
})

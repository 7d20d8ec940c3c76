import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  createPetService,
  LimiterUnavailable,
  type RateLimiter,
  type ServiceRequest,
  type ServiceResponse,
} from '../../core/index.ts'
import type { Answered } from './log-format.ts'
import { besideService, type Page } from './pages.ts'

const charged: string[] = []
const limiter: RateLimiter = {
  consume(key, [limit], cost = 1) {
    if (cost > 0) charged.push(key)
    return { allowed: true, banned: false, limit: limit?.requests ?? 0, remaining: 7, reset: 9, waitMs: 0 }
  },
}

const page: Page = ({ method }) => ({ status: 200, headers: ['X-Page', method], body: 'page' })

function ask(target: string, method = 'GET', basePath = '/v1'): Promise<[ServiceResponse, Answered[]]> {
  const answers: Answered[] = []
  const service = createPetService({ keys: { find: () => undefined }, basePath, limiter })
  const beside = besideService(
    service,
    { '/page': page },
    { requestId: () => 'r1', onAnswer: (answered) => answers.push(answered) },
  )
  const request: ServiceRequest = {
    method,
    target,
    httpVersion: '1.1',
    client: '192.0.2.1',
    header: (name) => (name === 'host' ? 'x' : undefined),
    body: () => Promise.reject(new Error('nobody reads it')),
  }
  return Promise.resolve(beside.handle(request)).then((response) => [response, answers])
}

test('a page is answered to GET and HEAD, whatever its query, with the numbers of the peer and a request id', async () => {
  for (const target of ['/page', '/page?verbose', 'http://other/page', 'HTTPS://other:81/page?x=/']) {
    for (const method of ['GET', 'HEAD']) {
      const [{ status, headers, body }] = await ask(target, method)
      assert.deepEqual([status, body], [200, 'page'])
      assert.deepEqual(headers, [
        ...['X-Page', method],
        ...['X-RateLimit-Limit', '60', 'X-RateLimit-Remaining', '7', 'X-RateLimit-Reset', '9'],
        ...['X-Request-Id', 'r1'],
      ])
    }
  }
})

test('a page takes no other method', async () => {
  for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
    const [{ status, headers, body }] = await ask('/page', method)
    assert.equal(status, 405)
    assert.equal(headers[headers.indexOf('Allow') + 1], 'GET, HEAD')
    assert.equal(JSON.parse(String(body)).code, 'method_not_allowed')
  }
})

test('a page is charged to nobody', async () => {
  charged.length = 0
  await ask('/page')
  await ask('/page', 'POST')
  assert.deepEqual(charged, [])
})

test('a page is logged by its path, without the query', async () => {
  const [, [answered]] = await ask('/page?token=secret')
  assert.equal(answered?.operation, '/page')
  assert.equal(answered?.status, 200)
  assert.equal(answered?.requestId, 'r1')
  assert.ok(!JSON.stringify(answered).includes('secret'))
})

test('what is no page is left to the service', async () => {
  for (const target of ['/', '/pages', '/page/', '//page', '*', '/PAGE', '/%70age']) {
    const [{ status, body }, answers] = await ask(target, target === '*' ? 'OPTIONS' : 'GET')
    assert.deepEqual([status, JSON.parse(String(body)).code], [404, 'route_not_found'], target)
    assert.deepEqual(answers, [])
  }
})

test('a base path must leave the pages visible', async () => {
  assert.throws(() => ask('/page', 'GET', '/page'), {
    name: 'UsageError',
    message: 'the base path /page covers /page: choose another with --base-path',
  })
  assert.throws(() => ask('/page', 'GET', ''), { name: 'UsageError' })
})

test('a limiter that cannot answer refuses nobody a page', async () => {
  const service = createPetService({
    keys: { find: () => undefined },
    limiter: {
      consume() {
        throw new LimiterUnavailable('gone')
      },
    },
  })
  const beside = besideService(service, { '/page': page }, { requestId: () => 'r1' })
  const response = await beside.handle({
    method: 'GET',
    target: '/page',
    httpVersion: '1.1',
    client: undefined,
    header: () => undefined,
    body: () => Promise.reject(new Error('nobody reads it')),
  })
  assert.equal(response.status, 200)
  assert.ok(response.headers.includes('X-RateLimit-Limit'))
})

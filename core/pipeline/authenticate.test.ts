import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { keyHeaders, serve } from '../testing/serve.ts'
import {
  createServiceRequest,
  type RequestOptions,
  readCode,
  readRemaining,
  toTestResponse,
} from '../testing/service-request.ts'
import { testStartMs } from '../testing/test-clock.ts'
import { createPetService, type PetService } from './service.ts'

const target = '/v1/store/orders'

const authenticate = async (service: PetService, asked: RequestOptions = {}) =>
  service.authenticate(createServiceRequest({ target, ...asked }))

async function getRejection(service: PetService, asked: RequestOptions = {}) {
  const access = await authenticate(service, asked)
  return access.authenticated ? assert.fail('the request is authenticated') : toTestResponse(access.response)
}

async function getAccess(service: PetService, asked: RequestOptions = { headers: keyHeaders }) {
  const access = await authenticate(service, asked)
  return access.authenticated ? access : assert.fail(access.response.body)
}

describe('authenticate', () => {
  it('returns the caller, the decision and the response headers', async () => {
    const findCaller = () => ({ id: 'zoo', plan: 'free' as const, city: 'Berlin' })
    const service = createPetService({
      keys: { find: findCaller },
      clock: () => testStartMs,
      requestId: () => 'r1',
    })
    const access = await service.authenticate(createServiceRequest({ headers: keyHeaders }))
    if (!access.authenticated) assert.fail(access.response.body)
    const { caller, decision, rawHeaders } = access
    const city: string = caller.city // `find` returns callers with a city
    assert.deepEqual([caller.id, city], ['zoo', 'Berlin'])
    const { allowed, limit, remaining, reset } = decision
    assert.deepEqual([allowed, limit, remaining, reset], [true, 60, 59, testStartMs / 1000 + 60])
    assert.deepEqual(rawHeaders, [
      ...['X-RateLimit-Limit', '60', 'X-RateLimit-Remaining', '59', 'X-RateLimit-Reset', `${reset}`],
      ...['Cache-Control', 'no-store', 'X-Content-Type-Options', 'nosniff', 'X-Request-Id', 'r1'],
    ])
  })

  it('shares its rate limits with handle', async () => {
    const { service, send } = serve({ trustProxy: 1 })
    for (let left = 59; left > 0; left -= 2) {
      assert.equal((await getAccess(service)).decision.remaining, left)
      assert.equal(readRemaining(await send({ headers: keyHeaders })), String(left - 1))
    }
    assert.equal(readCode(await getRejection(service, { headers: keyHeaders })), 'rate_limit_exceeded')
    const createForwardedRequest = (client: string) => ({ headers: { 'x-forwarded-for': client } })
    const firstRejection = await getRejection(service, createForwardedRequest('198.51.100.1'))
    assert.deepEqual(
      [firstRejection.status, readCode(firstRejection), readRemaining(firstRejection)],
      [401, 'missing_api_key', '59'],
    )
    assert.match(firstRejection.headers.get('www-authenticate') ?? '', /^Bearer/)
    assert.equal(readRemaining(await send(createForwardedRequest('198.51.100.1'))), '58')
    assert.equal(readRemaining(await getRejection(service, createForwardedRequest('198.51.100.2'))), '59')
  })

  it('accepts any method and path, and does not read the body', async () => {
    const { service } = serve({ basePath: '' })
    for (const target of ['/', '/orders?x=1', 'http://shelter.example/orders', '/v1/pets'])
      for (const method of ['GET', 'HEAD', 'POST', 'DELETE', 'PATCH']) {
        const body = () => assert.fail('the body is read')
        const request = { ...createServiceRequest({ target, method, headers: keyHeaders }), body }
        assert.ok((await service.authenticate(request)).authenticated)
      }
  })

  it('rejects a request that is not valid HTTP', async () => {
    const { service } = serve()
    const response = await getRejection(service, { headers: { ...keyHeaders, host: undefined } })
    assert.deepEqual([readCode(response), readRemaining(response)], ['invalid_request', '59'])
    assert.equal(
      readCode(await getRejection(service, { target: '*', headers: keyHeaders })),
      'invalid_request',
    )
  })

  it('calls onResponse for a rejected request only', async () => {
    const { service, events } = serve()
    await getAccess(service)
    await getRejection(service, { method: 'DELETE' })
    const seenEvents = events.map(({ operation, status, decision, clientAddress }) => [
      ...[operation, status, decision.remaining, clientAddress],
    ])
    assert.deepEqual(seenEvents, [[undefined, 401, 59, '192.0.2.1']])
  })

  it('allows the method that a preflight request asks for', async () => {
    const origin = 'https://page.example'
    const preflight = (method: string) => ({
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': method },
    })
    const { service } = serve({ cors: [origin] })
    for (const method of ['GET', 'DELETE', '', 'GET, DELETE', 'GET\u00ff', 'GET x']) {
      const { status, headers } = await getRejection(service, preflight(method))
      assert.deepEqual([status, readRemaining({ headers })], [204, '60'])
      assert.equal(headers.get('access-control-allow-origin'), origin)
      assert.equal(headers.get('access-control-allow-methods'), /^[A-Z]+$/.test(method) ? method : '')
    }
    const { rawHeaders } = await getAccess(service, { headers: { ...keyHeaders, origin } })
    assert.equal(rawHeaders[rawHeaders.indexOf('Access-Control-Allow-Origin') + 1], origin)
    assert.equal((await getRejection(serve().service, preflight('GET'))).status, 401)
  })
})

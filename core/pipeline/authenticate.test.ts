import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { keyed, serve } from '../testing/serve.ts'
import { type Asked, readCode, readRemaining, received, serviceRequest } from '../testing/service-request.ts'
import { epoch } from '../testing/traffic.ts'
import { createPetService, type PetService } from './service.ts'

const target = '/v1/store/orders'

const authenticate = async (service: PetService, asked: Asked = {}) =>
  service.authenticate(serviceRequest({ target, ...asked }))

/** Returns the response to a request that is not authenticated. */
async function rejected(service: PetService, asked: Asked = {}) {
  const access = await authenticate(service, asked)
  return access.authenticated ? assert.fail('the request is authenticated') : received(access.response)
}

async function findAccess(service: PetService, asked: Asked = { headers: keyed }) {
  const access = await authenticate(service, asked)
  return access.authenticated ? access : assert.fail(access.response.body)
}

describe('a route of the embedder', () => {
  it('receives the caller, its numbers and the headers to send', async () => {
    const find = () => ({ id: 'zoo', plan: 'free' as const, city: 'Berlin' })
    const service = createPetService({ keys: { find }, clock: () => epoch, requestId: () => 'r1' })
    const access = await service.authenticate(serviceRequest({ headers: keyed }))
    if (!access.authenticated) assert.fail(access.response.body)
    const { caller, decision, rawHeaders } = access
    const city: string = caller.city // as the key store has found it, with its type
    assert.deepEqual([caller.id, city], ['zoo', 'Berlin'])
    const { allowed, limit, remaining, reset } = decision
    assert.deepEqual([allowed, limit, remaining, reset], [true, 60, 59, epoch / 1000 + 60])
    assert.deepEqual(rawHeaders, [
      ...['X-RateLimit-Limit', '60', 'X-RateLimit-Remaining', '59', 'X-RateLimit-Reset', `${reset}`],
      ...['Cache-Control', 'no-store', 'X-Content-Type-Options', 'nosniff', 'X-Request-Id', 'r1'],
    ])
  })

  it('shares its limits with the operations', async () => {
    const { service, ask } = serve({ trustProxy: 1 })
    for (let left = 59; left > 0; left -= 2) {
      assert.equal((await findAccess(service)).decision.remaining, left)
      assert.equal(readRemaining(await ask({ headers: keyed })), String(left - 1))
    }
    assert.equal(readCode(await rejected(service, { headers: keyed })), 'rate_limit_exceeded')
    const from = (client: string) => ({ headers: { 'x-forwarded-for': client } })
    const first = await rejected(service, from('198.51.100.1'))
    assert.deepEqual([first.status, readCode(first), readRemaining(first)], [401, 'missing_api_key', '59'])
    assert.match(first.headers.get('www-authenticate') ?? '', /^Bearer/)
    assert.equal(readRemaining(await ask(from('198.51.100.1'))), '58')
    assert.equal(readRemaining(await rejected(service, from('198.51.100.2'))), '59')
  })

  it('may have any path and method; its body is not read', async () => {
    const { service } = serve({ basePath: '' })
    for (const target of ['/', '/orders?x=1', 'http://shelter.example/orders', '/v1/pets'])
      for (const method of ['GET', 'HEAD', 'POST', 'DELETE', 'PATCH']) {
        const body = () => assert.fail('the body is read')
        const request = { ...serviceRequest({ target, method, headers: keyed }), body }
        assert.ok((await service.authenticate(request)).authenticated)
      }
  })

  it('is charged before it is rejected for invalid HTTP', async () => {
    const { service } = serve()
    const response = await rejected(service, { headers: { ...keyed, host: undefined } })
    assert.deepEqual([readCode(response), readRemaining(response)], ['invalid_request', '59'])
    assert.equal(readCode(await rejected(service, { target: '*', headers: keyed })), 'invalid_request')
  })

  it('sends onResponse an event only if it is rejected', async () => {
    const { service, events } = serve()
    await findAccess(service)
    await rejected(service, { method: 'DELETE' })
    const seen = events.map(({ operation, status, decision, client }) => [
      ...[operation, status, decision.remaining, client],
    ])
    assert.deepEqual(seen, [[undefined, 401, 59, '192.0.2.1']])
  })

  it('responds to preflights only with the option cors', async () => {
    const origin = 'https://page.example'
    const preflight = (method: string) => ({
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': method },
    })
    const { service } = serve({ cors: [origin] })
    for (const method of ['GET', 'DELETE', '', 'GET, DELETE', 'GET\u00ff', 'GET x']) {
      const { status, headers } = await rejected(service, preflight(method))
      assert.deepEqual([status, readRemaining({ headers })], [204, '60'])
      assert.equal(headers.get('access-control-allow-origin'), origin)
      assert.equal(headers.get('access-control-allow-methods'), /^[A-Z]+$/.test(method) ? method : '')
    }
    const { rawHeaders } = await findAccess(service, { headers: { ...keyed, origin } })
    assert.equal(rawHeaders[rawHeaders.indexOf('Access-Control-Allow-Origin') + 1], origin)
    assert.equal((await rejected(serve().service, preflight('GET'))).status, 401)
  })
})

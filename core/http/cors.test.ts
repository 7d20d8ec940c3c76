import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { operations } from '../operations/index.ts'
import { keyHeaders, serve } from '../testing/serve.ts'
import { readRemaining, type TestResponse, throwError } from '../testing/service-request.ts'

const pageOrigin = 'https://shelter.example'
const preflightHeaders = { origin: pageOrigin, 'access-control-request-method': 'POST' }
const preflight = { method: 'OPTIONS', headers: preflightHeaders }

const readAllowed = ({ headers }: TestResponse, what = 'origin') =>
  headers.get(`access-control-allow-${what}`)
const readCorsHeaders = ({ headers }: TestResponse) =>
  [...headers.keys()].filter((name) => /^(access-control-|vary$)/.test(name))

describe('a service without the option cors', () => {
  it('sends no CORS headers and rejects preflight requests', async () => {
    for (const cors of [undefined, []]) {
      const { send } = serve(cors && { cors })
      assert.equal(
        (await send({ ...preflight, headers: { ...preflightHeaders, ...keyHeaders } })).status,
        405,
      )
      assert.deepEqual(readCorsHeaders(await send(preflight)), [])
    }
  })
})

/** Returns the methods at a path, as in `Access-Control-Allow-Methods`. */
function listMethods(path: string): string {
  const methods: string[] = operations
    .filter((operation) => operation.path === path)
    .map(({ method }) => method)
  return [...methods, ...(methods.includes('GET') ? ['HEAD'] : [])].join(', ')
}

describe('a preflight request', () => {
  it('lists the methods and headers that each path allows', async () => {
    const { send, events } = serve({ cors: [pageOrigin] })
    for (const [target, methods] of [
      ['/v1/pets', listMethods('/pets')],
      ['/v1/pets/7', listMethods('/pets/{petId}')],
    ] as const) {
      const response = await send({ ...preflight, target })
      assert.deepEqual([response.status, response.text], [204, ''])
      const headers = 'Authorization, Content-Type, Idempotency-Key, traceparent, tracestate, baggage'
      const expectedHeaders = [pageOrigin, methods, headers]
      assert.deepEqual(
        ['origin', 'methods', 'headers'].map((what) => readAllowed(response, what)),
        expectedHeaders,
      )
      assert.match(response.headers.get('access-control-max-age') ?? '', /^\d+$/)
      assert.equal(response.headers.get('vary'), 'Origin')
    }
    assert.deepEqual(
      events.map(({ status, operation }) => [status, operation]),
      [1, 2].map(() => [204, undefined]),
    )
  })

  it('is not charged, even if no requests are left', async () => {
    const { send } = serve({ cors: [pageOrigin] })
    for (const left of [60, 0]) {
      const { status, headers } = await send(preflight)
      assert.deepEqual([status, readRemaining({ headers })], [204, `${left}`])
      for (let i = 0; i < left; i++) await send()
    }
    const rejection = await send({ headers: { origin: pageOrigin } })
    assert.deepEqual([rejection.status, readAllowed(rejection)], [429, pageOrigin])
  })

  it('requires a listed origin and a valid request', async () => {
    const { send } = serve({ cors: [pageOrigin] })
    const foreignResponse = await send({
      method: 'OPTIONS',
      headers: { ...preflightHeaders, origin: 'https://elsewhere.example' },
    })
    assert.deepEqual(
      [foreignResponse.status, readCorsHeaders(foreignResponse)],
      [204, ['vary']],
      'an origin that is not listed',
    )
    for (const [status, headers, target = '/v1/pets'] of [
      [405, { ...keyHeaders, origin: pageOrigin }],
      [405, { ...keyHeaders, 'access-control-request-method': 'POST' }],
      [400, { ...preflightHeaders, 'transfer-encoding': 'gzip' }],
      [401, preflightHeaders, '/v1/cats'],
    ] as const)
      assert.equal((await send({ method: 'OPTIONS', headers, target })).status, status)
  })
})

const limiter = { consume: () => throwError('a defect'), peek: () => throwError('a defect') }
describe('the option cors', () => {
  for (const [status, target, headers = keyHeaders, options = {}] of [
    [200, '/v1/pets'],
    [401, '/v1/pets', {}],
    [404, '/elsewhere'],
    [500, '/v1/pets', keyHeaders, { limiter }],
  ] as const) {
    it(`allows a listed origin in a ${status} response to ${target}`, async () => {
      const { send } = serve({ cors: ['https://first.example', pageOrigin], ...options })
      const listResponse = await send({ target, headers: { ...headers, origin: pageOrigin } })
      assert.deepEqual(
        [listResponse.status, readAllowed(listResponse), listResponse.headers.get('vary')],
        [status, pageOrigin, 'Origin'],
      )
      for (const origin of ['https://elsewhere.example', 'null', `${pageOrigin}:8443`, '*', undefined])
        assert.deepEqual(readCorsHeaders(await send({ target, headers: { ...headers, origin } })), ['vary'])
    })
  }

  it('allows every origin, without credentials, if it is "*"', async () => {
    for (const cors of ['*', ['*']] as const)
      for (const origin of [pageOrigin, 'null']) {
        const response = await serve({ cors }).send({ headers: { ...keyHeaders, origin } })
        assert.deepEqual([readAllowed(response), response.headers.has('vary')], ['*', false])
        assert.equal(readAllowed(response, 'credentials'), undefined)
      }
  })

  it('exposes every header that the service adds', async () => {
    const { send } = serve({ cors: [pageOrigin], requestId: () => 'r1' })
    const hiddenHeaders = /^(?:access-control-.*|content-type|vary|cache-control|x-content-type-options)$/
    for (const headers of [keyHeaders, {}]) {
      const response = await send({ target: '/v1/pets/7', headers: { ...headers, origin: pageOrigin } })
      const addedHeaders = [...response.headers.keys()].filter((name) => !hiddenHeaders.test(name))
      const exposedHeaders = response.headers.get('access-control-expose-headers')?.toLowerCase().split(', ')
      for (const name of [...addedHeaders, 'date', 'retry-after', 'idempotency-replayed'])
        assert.ok(exposedHeaders?.includes(name), name)
    }
  })

  it('allows and exposes the additional headers in the option', async () => {
    const cors = {
      origins: [pageOrigin],
      allowedHeaders: ['X-Tenant', 'X-Trace'],
      exposedHeaders: ['X-Total'],
    }
    for (const origins of ['*', [pageOrigin]] as const) {
      const { send } = serve({ cors: { ...cors, origins } })
      assert.match(
        readAllowed(await send(preflight), 'headers') ?? '',
        /^Authorization, .*, X-Tenant, X-Trace$/,
      )
      const { headers } = await send({ headers: preflightHeaders })
      assert.match(headers.get('access-control-expose-headers') ?? '', /^X-RateLimit-Limit, .*, X-Total$/)
    }
    assert.deepEqual(readCorsHeaders(await serve({ cors: { origins: [] } }).send(preflight)), [])
    for (const invalidOption of [
      {},
      { origins: pageOrigin },
      { origins: ['null'] },
      { ...cors, allowedHeaders: 'X-Tenant' },
      { ...cors, exposedHeaders: ['X-Total, X-Page'] },
      { ...cors, maxAge: 5 },
    ])
      assert.throws(
        () => serve({ cors: invalidOption as never }),
        /options\.cors must be .* { origins, allowed/,
      )
  })

  it('rejects origins that browsers do not send', () => {
    for (const origin of [pageOrigin, 'http://localhost:5173', 'https://[::1]:8443', '*'])
      serve({ cors: [origin] })
    const invalidOrigins = `${pageOrigin}/ ${pageOrigin}/app ${pageOrigin}:443 HTTPS://shelter.example shelter.example null file:/// https://*.shelter.example http://*:8080`
    const message = /^TypeError: options\.cors must be "\*" or origins/
    for (const origin of invalidOrigins.split(' '))
      assert.throws(() => serve({ cors: [origin] }), message, origin)
  })
})

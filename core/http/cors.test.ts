import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { keyed, serve } from '../testing/serve.ts'
import { fail, type Received, remainingOf } from '../testing/service-request.ts'

const page = 'https://shelter.example'
const asking = { origin: page, 'access-control-request-method': 'POST' }
const preflight = { method: 'OPTIONS', headers: asking }

const allowedOrigin = ({ headers }: Received) => headers.get('access-control-allow-origin')
const corsOf = ({ headers }: Received) =>
  [...headers.keys()].filter((name) => /^(access-control-|vary$)/.test(name))
const exposedBy = ({ headers }: Received) =>
  headers.get('access-control-expose-headers')?.toLowerCase().split(', ') ?? []

it('a service without cors returns 405 for OPTIONS, and has no headers for other origins', async () => {
  for (const cors of [undefined, []]) {
    const { ask } = serve(cors && { cors })
    assert.equal((await ask({ ...preflight, headers: { ...asking, ...keyed } })).status, 405)
    assert.equal((await ask(preflight)).status, 401)
    assert.deepEqual(corsOf(await ask({ headers: { ...keyed, origin: page } })), [])
  }
})

describe('a preflight', () => {
  it('needs no key, and its response lists what a page may send to its path', async () => {
    const { ask } = serve({ cors: [page] })
    for (const [target, methods] of [
      ['/v1/pets', 'GET, POST, HEAD'],
      ['/v1/pets/7', 'GET, HEAD'],
    ] as const) {
      const { status, headers, text } = await ask({ ...preflight, target })
      assert.deepEqual([status, text, headers.has('content-type')], [204, '', false])
      const allow = ['origin', 'methods', 'headers'].map((name) =>
        headers.get(`access-control-allow-${name}`),
      )
      assert.deepEqual(allow, [page, methods, 'Authorization, Content-Type, Idempotency-Key'])
      assert.match(headers.get('access-control-max-age') ?? '', /^\d+$/)
      assert.equal(headers.get('vary'), 'Origin')
    }
  })

  it('charges nothing, and succeeds for a limited address, so that the page can read its 429', async () => {
    const { ask } = serve({ cors: [page] })
    for (const left of [60, 0]) {
      const { status, headers } = await ask(preflight)
      assert.deepEqual([status, remainingOf({ headers })], [204, `${left}`])
      for (let i = 0; i < left; i++) await ask()
    }
    const rejected = await ask({ headers: { origin: page } })
    assert.deepEqual([rejected.status, allowedOrigin(rejected)], [429, page])
  })

  it('is reported to onResponse, and no other OPTIONS is one', async () => {
    const { ask, events } = serve({ cors: [page] })
    await ask(preflight)
    const reported = events.map(({ status, operation, caller }) => [status, operation, caller])
    assert.deepEqual(reported, [[204, undefined, undefined]])
    for (const [status, headers] of [
      [405, { ...keyed, origin: page }],
      [405, { ...keyed, 'access-control-request-method': 'POST' }],
      [400, { ...asking, 'transfer-encoding': 'gzip' }],
    ] as const)
      assert.equal((await ask({ method: 'OPTIONS', headers })).status, status)
  })

  it('is not sent to a path where nothing is, and allows nothing to an origin that is not listed', async () => {
    const { ask } = serve({ cors: [page] })
    assert.equal((await ask({ ...preflight, target: '/v1/cats' })).status, 401)
    const foreign = { ...asking, origin: 'https://elsewhere.example' }
    const response = await ask({ method: 'OPTIONS', headers: foreign })
    assert.deepEqual([response.status, corsOf(response)], [204, ['vary']])
  })
})

describe('responses to pages', () => {
  const limiter = { consume: () => fail('a defect'), peek: () => fail('a defect') }
  for (const [status, target, headers = keyed, options = {}] of [
    [200, '/v1/pets'],
    [400, '/v1/pets?limit=0'],
    [401, '/v1/pets', {}],
    [404, '/elsewhere'],
    [500, '/v1/pets', keyed, { limiter }],
  ] as const) {
    it(`a listed origin can read a ${status} of ${target}, and no other origin can`, async () => {
      const { ask } = serve({ cors: ['https://first.example', page], ...options })
      const listed = await ask({ target, headers: { ...headers, origin: page } })
      assert.deepEqual(
        [listed.status, allowedOrigin(listed), listed.headers.get('vary')],
        [status, page, 'Origin'],
      )
      for (const origin of ['https://elsewhere.example', 'null', `${page}:8443`, '*', undefined]) {
        assert.deepEqual(corsOf(await ask({ target, headers: { ...headers, origin } })), ['vary'])
      }
    })
  }

  it('every origin can read responses if all are allowed, as a string or in a list', async () => {
    for (const cors of ['*', ['*']] as const)
      for (const origin of [page, 'null']) {
        const response = await serve({ cors }).ask({ headers: { ...keyed, origin } })
        assert.deepEqual([allowedOrigin(response), response.headers.has('vary')], ['*', false])
        assert.ok(!response.headers.has('access-control-allow-credentials'))
      }
  })

  it('let pages read every header that the service adds, and those that a client needs', async () => {
    const { ask } = serve({ cors: [page], requestId: () => 'r1' })
    const hidden = ['content-type', 'vary', 'allow', 'cache-control', 'x-content-type-options']
    for (const [method, target, headers] of [
      ['GET', '/v1/pets/7', keyed],
      ['GET', '/v1/pets', {}],
      ['PUT', '/v1/pets', keyed],
    ] as const) {
      const response = await ask({ method, target, headers: { ...headers, origin: page } })
      const readable = [...hidden, ...exposedBy(response)]
      const added = [...response.headers.keys()].filter((name) => !name.startsWith('access-control-'))
      for (const name of [...added, 'date', 'retry-after', 'idempotency-replayed'])
        assert.ok(readable.includes(name), name)
    }
  })
})

it('the option cors accepts origins as browsers write them and * for all, and no entry that none can equal', () => {
  for (const origin of [page, 'http://localhost:5173', 'https://[::1]:8443', '*']) serve({ cors: [origin] })
  const wrong = `${page}/ ${page}/app ${page}:443 HTTPS://shelter.example shelter.example null file:/// https://*.shelter.example http://*:8080`
  for (const origin of wrong.split(' ')) {
    assert.throws(
      () => serve({ cors: [origin] }),
      /^TypeError: options\.cors must be "\*" or origins/,
      origin,
    )
  }
})

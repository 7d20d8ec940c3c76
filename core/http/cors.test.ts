import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { operations } from '../operations/index.ts'
import { keyed, serve } from '../testing/serve.ts'
import { fail, type Received, readRemaining } from '../testing/service-request.ts'

const page = 'https://shelter.example'
const asking = { origin: page, 'access-control-request-method': 'POST' }
const preflight = { method: 'OPTIONS', headers: asking }

const allowed = ({ headers }: Received, what = 'origin') => headers.get(`access-control-allow-${what}`)
const readCorsHeaders = ({ headers }: Received) =>
  [...headers.keys()].filter((name) => /^(access-control-|vary$)/.test(name))

describe('a service without cors', () => {
  it('returns 405 for OPTIONS, and adds no headers', async () => {
    for (const cors of [undefined, []]) {
      const { ask } = serve(cors && { cors })
      assert.equal((await ask({ ...preflight, headers: { ...asking, ...keyed } })).status, 405)
      assert.deepEqual(readCorsHeaders(await ask(preflight)), [])
    }
  })
})

/** Returns the methods of a path of the table, as a list of a header. */
function listMethods(path: string): string {
  const methods: string[] = operations
    .filter((operation) => operation.path === path)
    .map(({ method }) => method)
  return [...methods, ...(methods.includes('GET') ? ['HEAD'] : [])].join(', ')
}

describe('a preflight', () => {
  it('needs no key, and lists the methods of its path', async () => {
    const { ask, events } = serve({ cors: [page] })
    for (const [target, methods] of [
      ['/v1/pets', listMethods('/pets')],
      ['/v1/pets/7', listMethods('/pets/{petId}')],
    ] as const) {
      const response = await ask({ ...preflight, target })
      assert.deepEqual([response.status, response.text], [204, ''])
      const expected = [page, methods, 'Authorization, Content-Type, Idempotency-Key']
      assert.deepEqual(
        ['origin', 'methods', 'headers'].map((what) => allowed(response, what)),
        expected,
      )
      assert.match(response.headers.get('access-control-max-age') ?? '', /^\d+$/)
      assert.equal(response.headers.get('vary'), 'Origin')
    }
    assert.deepEqual(
      events.map(({ status, operation }) => [status, operation]),
      [1, 2].map(() => [204, undefined]),
    )
  })

  it('is not charged, and succeeds past the limit', async () => {
    const { ask } = serve({ cors: [page] })
    for (const left of [60, 0]) {
      const { status, headers } = await ask(preflight)
      assert.deepEqual([status, readRemaining({ headers })], [204, `${left}`])
      for (let i = 0; i < left; i++) await ask()
    }
    const rejected = await ask({ headers: { origin: page } })
    assert.deepEqual([rejected.status, allowed(rejected)], [429, page])
  })

  it('is an OPTIONS with an origin, a method and a route', async () => {
    const { ask } = serve({ cors: [page] })
    const foreign = await ask({
      method: 'OPTIONS',
      headers: { ...asking, origin: 'https://elsewhere.example' },
    })
    assert.deepEqual(
      [foreign.status, readCorsHeaders(foreign)],
      [204, ['vary']],
      'an origin that is not listed',
    )
    for (const [status, headers, target = '/v1/pets'] of [
      [405, { ...keyed, origin: page }],
      [405, { ...keyed, 'access-control-request-method': 'POST' }],
      [400, { ...asking, 'transfer-encoding': 'gzip' }],
      [401, asking, '/v1/cats'],
    ] as const)
      assert.equal((await ask({ method: 'OPTIONS', headers, target })).status, status)
  })
})

const limiter = { consume: () => fail('a defect'), peek: () => fail('a defect') }
describe('the option cors', () => {
  for (const [status, target, headers = keyed, options = {}] of [
    [200, '/v1/pets'],
    [401, '/v1/pets', {}],
    [404, '/elsewhere'],
    [500, '/v1/pets', keyed, { limiter }],
  ] as const) {
    it(`lets only a listed origin read a ${status} of ${target}`, async () => {
      const { ask } = serve({ cors: ['https://first.example', page], ...options })
      const listed = await ask({ target, headers: { ...headers, origin: page } })
      assert.deepEqual([listed.status, allowed(listed), listed.headers.get('vary')], [status, page, 'Origin'])
      for (const origin of ['https://elsewhere.example', 'null', `${page}:8443`, '*', undefined])
        assert.deepEqual(readCorsHeaders(await ask({ target, headers: { ...headers, origin } })), ['vary'])
    })
  }

  it('lets every origin read responses if it is or contains "*"', async () => {
    for (const cors of ['*', ['*']] as const)
      for (const origin of [page, 'null']) {
        const response = await serve({ cors }).ask({ headers: { ...keyed, origin } })
        assert.deepEqual([allowed(response), response.headers.has('vary')], ['*', false])
        assert.equal(allowed(response, 'credentials'), undefined)
      }
  })

  it('lets a page read every header that the service adds', async () => {
    const { ask } = serve({ cors: [page], requestId: () => 'r1' })
    const hidden = /^(?:access-control-.*|content-type|vary|cache-control|x-content-type-options)$/
    for (const headers of [keyed, {}]) {
      const response = await ask({ target: '/v1/pets/7', headers: { ...headers, origin: page } })
      const added = [...response.headers.keys()].filter((name) => !hidden.test(name))
      const exposed = response.headers.get('access-control-expose-headers')?.toLowerCase().split(', ')
      for (const name of [...added, 'date', 'retry-after', 'idempotency-replayed'])
        assert.ok(exposed?.includes(name), name)
    }
  })

  it('accepts "*" and origins as browsers write them', () => {
    for (const origin of [page, 'http://localhost:5173', 'https://[::1]:8443', '*']) serve({ cors: [origin] })
    const wrong = `${page}/ ${page}/app ${page}:443 HTTPS://shelter.example shelter.example null file:/// https://*.shelter.example http://*:8080`
    const message = /^TypeError: options\.cors must be "\*" or origins/
    for (const origin of wrong.split(' ')) assert.throws(() => serve({ cors: [origin] }), message, origin)
  })
})

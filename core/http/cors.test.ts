import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createPetService, type PetService, type ResponseEvent, type ServiceOptions } from '../index.ts'
import { ask as askOf, fail, type Received, remainingOf } from '../testing/service-request.ts'

const page = 'https://shelter.example'
const member = { authorization: 'Bearer key' }
const preflight = { origin: page, 'access-control-request-method': 'POST' }

const serviceWith = (options: Partial<ServiceOptions> = {}): PetService =>
  createPetService({
    keys: { find: () => ({ id: 'tester', plan: 'free' }) },
    requestId: () => 'r1',
    ...options,
  })

const ask = (
  service: PetService,
  method: string,
  target: string,
  headers: Readonly<Record<string, string>>,
) => askOf(service, { method, target, headers })

const allowedOrigin = ({ headers }: Received) => headers.get('access-control-allow-origin')
const corsOf = ({ headers }: Received) =>
  [...headers.keys()].filter((name) => /^(access-control-|vary$)/.test(name))
const exposedBy = ({ headers }: Received) =>
  headers.get('access-control-expose-headers')?.toLowerCase().split(', ') ?? []

describe('a service without cors', () => {
  it('returns 405 for OPTIONS, and has no headers for other origins', async () => {
    for (const cors of [undefined, []]) {
      const service = serviceWith(cors && { cors })
      assert.equal((await ask(service, 'OPTIONS', '/v1/pets', { ...preflight, ...member })).status, 405)
      assert.equal((await ask(service, 'OPTIONS', '/v1/pets', preflight)).status, 401)
      assert.deepEqual(corsOf(await ask(service, 'GET', '/v1/pets', { ...member, origin: page })), [])
    }
  })
})

describe('a preflight', () => {
  it('needs no key, and its response lists what a page may send', async () => {
    const { status, headers, text } = await ask(
      serviceWith({ cors: [page] }),
      'OPTIONS',
      '/v1/pets',
      preflight,
    )
    assert.deepEqual([status, text, headers.has('content-type')], [204, '', false])
    assert.equal(headers.get('access-control-allow-origin'), page)
    assert.equal(headers.get('access-control-allow-methods'), 'GET, POST, HEAD')
    assert.equal(headers.get('access-control-allow-headers'), 'Authorization, Content-Type, Idempotency-Key')
    assert.match(headers.get('access-control-max-age') ?? '', /^\d+$/)
    assert.equal(headers.get('vary'), 'Origin')
  })

  it('returns the methods of its own path', async () => {
    const { headers } = await ask(serviceWith({ cors: [page] }), 'OPTIONS', '/v1/pets/7', preflight)
    assert.equal(headers.get('access-control-allow-methods'), 'GET, HEAD')
  })

  it('shows the numbers of its address and charges nothing', async () => {
    const service = serviceWith({ cors: ['*'] })
    for (let i = 0; i < 3; i++)
      assert.equal(remainingOf(await ask(service, 'OPTIONS', '/v1/pets', preflight)), '60')
  })

  it('of a limited address succeeds, so that the page can read its 429', async () => {
    const service = serviceWith({ cors: [page] })
    for (let i = 0; i < 60; i++) await ask(service, 'GET', '/v1/pets', {})
    assert.equal((await ask(service, 'OPTIONS', '/v1/pets', preflight)).status, 204)
    const rejected = await ask(service, 'GET', '/v1/pets', { origin: page })
    assert.deepEqual([rejected.status, allowedOrigin(rejected)], [429, page])
  })

  it('allows nothing to an origin that is not listed', async () => {
    const foreign = { ...preflight, origin: 'https://elsewhere.example' }
    const response = await ask(serviceWith({ cors: [page] }), 'OPTIONS', '/v1/pets', foreign)
    assert.deepEqual([response.status, corsOf(response)], [204, ['vary']])
  })

  it('is reported to onResponse', async () => {
    const events: ResponseEvent[] = []
    const service = serviceWith({ cors: [page], onResponse: (event) => void events.push(event) })
    await ask(service, 'OPTIONS', '/v1/pets', preflight)
    const seen = events.map(({ status, operation, caller }) => [status, operation, caller])
    assert.deepEqual(seen, [[204, undefined, undefined]])
  })

  const ordinary: readonly (readonly [
    what: string,
    target: string,
    headers: Record<string, string>,
    number,
  ])[] = [
    ['an OPTIONS that names no method', '/v1/pets', { ...member, origin: page }, 405],
    ['an OPTIONS of no page', '/v1/pets', { ...member, 'access-control-request-method': 'POST' }, 405],
    ['a path where nothing is', '/v1/cats', preflight, 401],
    ['a request that HTTP cannot accept', '/v1/pets', { ...preflight, 'transfer-encoding': 'gzip' }, 400],
  ]
  for (const [what, target, headers, status] of ordinary) {
    it(`is not ${what}`, async () => {
      assert.equal((await ask(serviceWith({ cors: [page] }), 'OPTIONS', target, headers)).status, status)
    })
  }
})

describe('responses to pages', () => {
  const limiter = { consume: () => fail('a defect'), peek: () => fail('a defect') }
  const cases: readonly (readonly [
    status: number,
    target: string,
    headers?: object,
    options?: Partial<ServiceOptions>,
  ])[] = [
    [200, '/v1/pets'],
    [400, '/v1/pets?limit=0'],
    [401, '/v1/pets', {}],
    [404, '/elsewhere'],
    [500, '/v1/pets', member, { limiter }],
  ]
  for (const [status, target, headers = member, options] of cases) {
    it(`a listed origin can read a ${status} of ${target}, and no other origin can`, async () => {
      const service = serviceWith({ cors: ['https://first.example', page], ...options })
      const listed = await ask(service, 'GET', target, { ...headers, origin: page })
      assert.deepEqual(
        [listed.status, allowedOrigin(listed), listed.headers.get('vary')],
        [status, page, 'Origin'],
      )
      for (const origin of ['https://elsewhere.example', 'null', `${page}:8443`, '*', undefined]) {
        const others = { ...headers, ...(origin && { origin }) }
        assert.deepEqual(corsOf(await ask(service, 'GET', target, others)), ['vary'])
      }
    })
  }

  it('every origin can read responses if all are allowed, as a string or in a list', async () => {
    for (const cors of ['*', ['*']] as const)
      for (const origin of [page, 'null']) {
        const response = await ask(serviceWith({ cors }), 'GET', '/v1/pets', { ...member, origin })
        assert.deepEqual([allowedOrigin(response), response.headers.has('vary')], ['*', false])
      }
  })

  it('never allow credentials of the browser', async () => {
    for (const cors of [[page], ['*']])
      for (const method of ['GET', 'OPTIONS']) {
        const { headers } = await ask(serviceWith({ cors }), method, '/v1/pets', { ...preflight, ...member })
        assert.equal(headers.has('access-control-allow-credentials'), false)
      }
  })

  it('let pages read every header that the service adds, and those that a client needs', async () => {
    const hidden = ['content-type', 'vary', 'allow', 'cache-control', 'x-content-type-options']
    for (const [method, target, headers] of [
      ['GET', '/v1/pets/7', member],
      ['GET', '/v1/pets', {}],
      ['PUT', '/v1/pets', member],
    ] as const) {
      const response = await ask(serviceWith({ cors: [page] }), method, target, { ...headers, origin: page })
      const readable = [...hidden, ...exposedBy(response)]
      const added = [...response.headers.keys()].filter((name) => !name.startsWith('access-control-'))
      for (const name of [...added, 'date', 'retry-after', 'idempotency-replayed'])
        assert.ok(readable.includes(name), name)
    }
  })
})

describe('the option cors', () => {
  it('accepts origins as browsers write them, and * for all', () => {
    for (const origin of [page, 'http://localhost:5173', 'https://[::1]:8443', '*'])
      assert.doesNotThrow(() => serviceWith({ cors: [origin] }), origin)
  })

  it('rejects an entry that no origin can equal', () => {
    const wrong = `${page}/ ${page}/app ${page}:443 HTTPS://shelter.example shelter.example null file:/// https://*.shelter.example http://*:8080`
    for (const origin of wrong.split(' '))
      assert.throws(
        () => serviceWith({ cors: [origin] }),
        /^TypeError: options\.cors must be "\*" or origins/,
        origin,
      )
  })
})

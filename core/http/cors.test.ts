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

it('a service without cors returns 405 for OPTIONS, and has no headers for other origins', async () => {
  for (const cors of [undefined, []]) {
    const service = serviceWith(cors && { cors })
    assert.equal((await ask(service, 'OPTIONS', '/v1/pets', { ...preflight, ...member })).status, 405)
    assert.equal((await ask(service, 'OPTIONS', '/v1/pets', preflight)).status, 401)
    assert.deepEqual(corsOf(await ask(service, 'GET', '/v1/pets', { ...member, origin: page })), [])
  }
})

describe('a preflight', () => {
  it('needs no key, and its response lists what a page may send to its path', async () => {
    for (const [path, methods] of [
      ['/v1/pets', 'GET, POST, HEAD'],
      ['/v1/pets/7', 'GET, HEAD'],
    ] as const) {
      const { status, headers, text } = await ask(serviceWith({ cors: [page] }), 'OPTIONS', path, preflight)
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
    const service = serviceWith({ cors: [page] })
    for (const left of [60, 0]) {
      const { status, headers } = await ask(service, 'OPTIONS', '/v1/pets', preflight)
      assert.deepEqual([status, remainingOf({ headers })], [204, `${left}`])
      if (left > 0) for (let i = 0; i < left; i++) await ask(service, 'GET', '/v1/pets', {})
    }
    const rejected = await ask(service, 'GET', '/v1/pets', { origin: page })
    assert.deepEqual([rejected.status, allowedOrigin(rejected)], [429, page])
  })

  it('is reported to onResponse, and no other OPTIONS is one', async () => {
    const events: unknown[] = []
    const onResponse = ({ status, operation, caller }: ResponseEvent) =>
      events.push([status, operation, caller])
    const service = serviceWith({ cors: [page], onResponse })
    await ask(service, 'OPTIONS', '/v1/pets', preflight)
    assert.deepEqual(events, [[204, undefined, undefined]])
    for (const [status, headers] of [
      [405, { ...member, origin: page }],
      [405, { ...member, 'access-control-request-method': 'POST' }],
      [400, { ...preflight, 'transfer-encoding': 'gzip' }],
    ] as const)
      assert.equal((await ask(service, 'OPTIONS', '/v1/pets', headers)).status, status)
  })

  it('is not sent to a path where nothing is, and allows nothing to an origin that is not listed', async () => {
    const service = serviceWith({ cors: [page] })
    assert.equal((await ask(service, 'OPTIONS', '/v1/cats', preflight)).status, 401)
    const foreign = { ...preflight, origin: 'https://elsewhere.example' }
    const response = await ask(service, 'OPTIONS', '/v1/pets', foreign)
    assert.deepEqual([response.status, corsOf(response)], [204, ['vary']])
  })
})

describe('responses to pages', () => {
  const limiter = { consume: () => fail('a defect'), peek: () => fail('a defect') }
  for (const [status, target, headers = member, options = {}] of [
    [200, '/v1/pets'],
    [400, '/v1/pets?limit=0'],
    [401, '/v1/pets', {}],
    [404, '/elsewhere'],
    [500, '/v1/pets', member, { limiter }],
  ] as const) {
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
        assert.ok(!response.headers.has('access-control-allow-credentials'))
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

it('the option cors accepts origins as browsers write them and * for all, and no entry that none can equal', () => {
  for (const origin of [page, 'http://localhost:5173', 'https://[::1]:8443', '*'])
    serviceWith({ cors: [origin] })
  const wrong = `${page}/ ${page}/app ${page}:443 HTTPS://shelter.example shelter.example null file:/// https://*.shelter.example http://*:8080`
  for (const origin of wrong.split(' ')) {
    const make = () => serviceWith({ cors: [origin] })
    assert.throws(make, /^TypeError: options\.cors must be "\*" or origins/, origin)
  }
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  createKeyStore,
  createPetService,
  type PetService,
  type ResponseEvent,
  type ServiceOptions,
  type ServiceResponse,
  sha256,
} from '../index.ts'
import { serviceRequest } from '../testing/service-request.ts'

const page = 'https://shelter.example'
const member = { authorization: 'Bearer a-key-for-tests' }
const preflight = { origin: page, 'access-control-request-method': 'POST' }

function serviceWith(options: Partial<ServiceOptions> = {}): PetService {
  const keys = createKeyStore([{ id: 'tester', sha256: sha256('a-key-for-tests'), plan: 'free' }])
  return createPetService({ keys, requestId: () => 'r1', ...options })
}

function ask(
  service: PetService,
  method: string,
  target: string,
  headers: Readonly<Record<string, string>>,
): Promise<ServiceResponse> | ServiceResponse {
  return service.handle(serviceRequest({ method, target, headers }))
}

function headersOf({ headers }: ServiceResponse): ReadonlyMap<string, string> {
  return new Map(headers.flatMap((name, i) => (i % 2 === 0 ? [[name, headers[i + 1] ?? '']] : [])))
}

function corsOf(response: ServiceResponse): readonly string[] {
  return [...headersOf(response).keys()].filter((name) => /^(Access-Control-|Vary$)/.test(name))
}

describe('a service without cors', () => {
  it('a service without cors returns 405 for OPTIONS', async () => {
    const response = await ask(serviceWith(), 'OPTIONS', '/v1/pets', { ...preflight, ...member })
    assert.equal(response.status, 405)
  })

  it('a service without cors has no headers for other origins', async () => {
    for (const cors of [undefined, []]) {
      const service = serviceWith(cors && { cors })
      assert.deepEqual(corsOf(await ask(service, 'GET', '/v1/pets', { ...member, origin: page })), [])
      assert.equal((await ask(service, 'OPTIONS', '/v1/pets', preflight)).status, 401)
    }
  })
})

describe('a preflight', () => {
  it('a preflight needs no key, and its response lists what a page may send', async () => {
    const response = await ask(serviceWith({ cors: [page] }), 'OPTIONS', '/v1/pets', preflight)
    const headers = headersOf(response)
    assert.equal(response.status, 204)
    assert.equal(response.body, undefined)
    assert.equal(headers.get('Access-Control-Allow-Origin'), page)
    assert.equal(headers.get('Access-Control-Allow-Methods'), 'GET, POST, HEAD')
    assert.equal(headers.get('Access-Control-Allow-Headers'), 'Authorization, Content-Type, Idempotency-Key')
    assert.match(headers.get('Access-Control-Max-Age') ?? '', /^\d+$/)
    assert.equal(headers.get('Vary'), 'Origin')
    assert.equal(headers.has('Content-Type'), false)
  })

  it('a preflight returns the methods of its own path', async () => {
    const response = await ask(serviceWith({ cors: [page] }), 'OPTIONS', '/v1/pets/7', preflight)
    assert.equal(headersOf(response).get('Access-Control-Allow-Methods'), 'GET, HEAD')
  })

  it('a preflight shows the numbers of its address and charges nothing', async () => {
    const service = serviceWith({ cors: ['*'] })
    for (let i = 0; i < 3; i++) {
      const headers = headersOf(await ask(service, 'OPTIONS', '/v1/pets', preflight))
      assert.equal(headers.get('X-RateLimit-Limit'), '60')
      assert.equal(headers.get('X-RateLimit-Remaining'), '60')
      assert.ok(headers.has('X-RateLimit-Reset'))
    }
  })

  it('a preflight of a limited address succeeds, so that the page can read its 429', async () => {
    const service = serviceWith({ cors: [page] })
    for (let i = 0; i < 60; i++) await ask(service, 'GET', '/v1/pets', {})
    assert.equal((await ask(service, 'OPTIONS', '/v1/pets', preflight)).status, 204)
    const rejected = await ask(service, 'GET', '/v1/pets', { origin: page })
    assert.equal(rejected.status, 429)
    assert.equal(headersOf(rejected).get('Access-Control-Allow-Origin'), page)
  })

  it('a preflight allows nothing to an origin that is not listed', async () => {
    const foreign = { ...preflight, origin: 'https://elsewhere.example' }
    const response = await ask(serviceWith({ cors: [page] }), 'OPTIONS', '/v1/pets', foreign)
    assert.equal(response.status, 204)
    assert.deepEqual(corsOf(response), ['Vary'])
  })

  it('a preflight is reported to onResponse', async () => {
    const events: ResponseEvent[] = []
    const service = serviceWith({ cors: [page], onResponse: (event) => void events.push(event) })
    await ask(service, 'OPTIONS', '/v1/pets', preflight)
    assert.deepEqual(
      events.map(({ status, operation, caller }) => ({ status, operation, caller })),
      [{ status: 204, operation: undefined, caller: undefined }],
    )
  })

  const ordinary: readonly (readonly [
    what: string,
    target: string,
    headers: Record<string, string>,
    status: number,
  ])[] = [
    ['an OPTIONS that names no method', '/v1/pets', { ...member, origin: page }, 405],
    ['an OPTIONS of no page', '/v1/pets', { ...member, 'access-control-request-method': 'POST' }, 405],
    ['a path where nothing is', '/v1/cats', preflight, 401],
    ['a request that HTTP cannot accept', '/v1/pets', { ...preflight, 'transfer-encoding': 'gzip' }, 400],
  ]
  for (const [what, target, headers, status] of ordinary) {
    it(`a request is no preflight: ${what}`, async () => {
      assert.equal((await ask(serviceWith({ cors: [page] }), 'OPTIONS', target, headers)).status, status)
    })
  }
})

describe('responses to pages', () => {
  const fail = () => {
    throw new Error('a defect')
  }
  const failing = { consume: fail, peek: fail }
  const cases: readonly (readonly [
    status: number,
    target: string,
    headers?: object,
    options?: Partial<ServiceOptions>,
  ])[] = [
    [200, '/v1/pets'],
    [400, '/v1/pets?limit=0'],
    [401, '/v1/pets', {}],
    [404, '/v1/pets/7'],
    [404, '/elsewhere'],
    [500, '/v1/pets', member, { limiter: failing }],
  ]
  for (const [status, target, headers = member, options] of cases) {
    it(`a listed origin can read a ${status} of ${target}, and no other origin can`, async () => {
      const service = serviceWith({ cors: ['https://first.example', page], ...options })
      const listed = await ask(service, 'GET', target, { ...headers, origin: page })
      assert.equal(listed.status, status)
      assert.equal(headersOf(listed).get('Access-Control-Allow-Origin'), page)
      assert.equal(headersOf(listed).get('Vary'), 'Origin')
      for (const origin of ['https://elsewhere.example', 'null', `${page}:8443`, '*']) {
        assert.deepEqual(corsOf(await ask(service, 'GET', target, { ...headers, origin })), ['Vary'])
      }
      assert.deepEqual(corsOf(await ask(service, 'GET', target, { ...headers })), ['Vary'])
    })
  }

  it('every origin can read responses if all are allowed', async () => {
    const service = serviceWith({ cors: ['*'] })
    for (const origin of [page, 'null']) {
      const headers = headersOf(await ask(service, 'GET', '/v1/pets', { ...member, origin }))
      assert.equal(headers.get('Access-Control-Allow-Origin'), '*')
      assert.equal(headers.has('Vary'), false)
    }
  })

  it('responses never allow credentials of the browser', async () => {
    for (const cors of [[page], ['*']]) {
      for (const method of ['GET', 'OPTIONS']) {
        const response = await ask(serviceWith({ cors }), method, '/v1/pets', { ...preflight, ...member })
        assert.equal(headersOf(response).has('Access-Control-Allow-Credentials'), false)
      }
    }
  })

  it('pages can read what a client needs to keep the rules', async () => {
    const response = await ask(serviceWith({ cors: [page] }), 'GET', '/v1/pets', { ...member, origin: page })
    const exposed = headersOf(response).get('Access-Control-Expose-Headers')?.split(', ') ?? []
    const needed =
      'X-RateLimit-Limit X-RateLimit-Remaining X-RateLimit-Reset Date Retry-After Link Deprecation Sunset X-Request-Id Idempotency-Replayed'
    for (const name of needed.split(' ')) assert.ok(exposed.includes(name), name)
  })

  it('pages can read every header that the service adds', async () => {
    const hidden = new Set(['Content-Type', 'Vary', 'Allow', 'Cache-Control', 'X-Content-Type-Options'])
    for (const [method, target, headers] of [
      ['GET', '/v1/pets/7', member],
      ['GET', '/v1/pets', {}],
      ['PUT', '/v1/pets', member],
    ] as const) {
      const response = await ask(serviceWith({ cors: [page] }), method, target, { ...headers, origin: page })
      const exposed = headersOf(response).get('Access-Control-Expose-Headers')?.split(', ') ?? []
      const sent = [...headersOf(response).keys()].filter(
        (name) => !name.startsWith('Access-Control-') && !hidden.has(name),
      )
      assert.deepEqual(
        sent.filter((name) => !exposed.includes(name)),
        [],
      )
    }
  })
})

describe('the option cors', () => {
  it('accepts origins as browsers write them, and * for all', () => {
    for (const origin of [page, 'http://localhost:5173', 'https://[::1]:8443', '*'])
      assert.doesNotThrow(() => serviceWith({ cors: [origin] }), origin)
  })

  it('is * as a string, as in a list', async () => {
    const response = await ask(serviceWith({ cors: '*' }), 'GET', '/v1/pets', { ...member, origin: page })
    assert.equal(headersOf(response).get('Access-Control-Allow-Origin'), '*')
  })

  it('rejects an entry that no origin can equal', () => {
    for (const origin of [
      `${page}/`,
      `${page}/app`,
      'https://shelter.example:443',
      'HTTPS://shelter.example',
      'shelter.example',
      'null',
      'file:///',
      'https://*.shelter.example',
      'http://*:8080',
    ]) {
      assert.throws(
        () => serviceWith({ cors: [origin] }),
        /^TypeError: options\.cors must be "\*" or origins/,
        origin,
      )
    }
  })
})

import assert from 'node:assert/strict'
import { type PetService, StoreUnavailable } from '../../../core/index.ts'
import { stubStore } from '../../../core/testing/stub-store.ts'
import { assertLawful, type Mount, type Runner, readCode } from '../exchange.ts'
import { auth, creation, open, rex, testService } from './open.ts'

/** A request with every error. */
const wrong = {
  expect: ['Expect', '200-ok'],
  key: auth.unknown,
  target: '/v1/nothing',
  method: 'PUT',
  idempotencyKey: ['Idempotency-Key', 'no key'],
  type: ['Content-Type', 'text/plain'],
  body: '{'.repeat(70_000),
} as const

/** The error that is reported, and what then corrects it: in the order of the interface. */
const corrections: readonly (readonly [code: string, correction: object])[] = [
  ['expectation_failed', { expect: undefined }],
  ['invalid_api_key', { key: auth.small }],
  ['rate_limit_exceeded', { key: auth.zoo }],
  ['route_not_found', { target: '/v1/pets' }],
  ['method_not_allowed', { method: 'POST' }],
  ['invalid_idempotency_key', { idempotencyKey: undefined }],
  ['unsupported_media_type', { type: ['Content-Type', 'application/json'] }],
  ['body_too_large', { body: '{' }],
  ['invalid_json', { body: '{}' }],
  ['invalid_pet', { body: rex }],
]

const allowed: readonly (readonly [method: string, target: string, allow: string])[] = [
  ['PUT', '/v1/pets', 'GET, POST, HEAD'],
  ['POST', '/v1/pets/1', 'GET, HEAD'],
  ['PROPFIND', '/v1/pets/x', 'GET, HEAD'],
]

/** Broken replacements of `handle`, which a part of the embedder may wrap. */
const broken: Readonly<Record<string, () => unknown>> = {
  throws: () => assert.fail('a broken service'),
  rejects: () => Promise.reject(new Error('a broken service')),
  'returns nothing': () => undefined,
  'returns an invalid status': () => ({ status: 99, rawHeaders: [], body: '' }),
}

/** Section 7 of the interface: the errors. */
export function errorsSuite(mount: Mount, { describe, it }: Runner): void {
  describe('an error of a request', () => {
    it('is the first in the documented order', async (t) => {
      const send = await open(t, mount)
      for (let i = 0; i < 2; i++) await send({ headers: [auth.small] })
      let request = wrong
      for (const [code, correction] of [...corrections, [undefined, {}] as const]) {
        const { expect, key, idempotencyKey, type, ...rest } = request
        const headers = [expect, key, idempotencyKey, type].filter((header) => header !== undefined)
        assert.equal(readCode(await send({ ...rest, headers })), code)
        request = { ...request, ...correction }
      }
    })

    it('is a 405 with Allow if the path has other methods', async (t) => {
      const send = await open(t, mount, { store: stubStore() }) // has no optional method, which may add operations
      for (const [method, target, allow] of allowed) {
        const response = await send({ method, target, headers: [auth.zoo] })
        assert.deepEqual([response.status, response.headers.get('allow')], [405, allow])
      }
    })
  })

  describe('a service', () => {
    for (const [what, handle] of Object.entries(broken)) {
      it(`that ${what} responds with a 500, which is reported`, async (t) => {
        const causes: unknown[] = []
        const service = testService({ onError: (cause) => causes.push(cause) })
        const { send, close } = await mount({ ...service, handle: handle as PetService['handle'] }) // whatever it returns
        t.after(close)
        const response = await send()
        assert.deepEqual([response.status, readCode(response)], [500, 'internal_error'])
        assertLawful(response, 'GET')
        assert.equal(response.headers.get('cache-control'), 'no-store')
        assert.equal(causes.length, 1)
      })
    }
  })

  describe('the failure of a store', () => {
    for (const [cause, status, retryAfter] of [
      [new Error('password=hunter2'), 500, undefined],
      [new StoreUnavailable('hunter2', { retryAfterSeconds: 9 }), 503, '9'],
    ] as const) {
      it(`is a ${status} without the cause`, async (t) => {
        const fail = (): Promise<never> => Promise.reject(cause)
        const send = await open(t, mount, { store: stubStore({ create: fail, get: fail, list: fail }) })
        for (const sent of [{ headers: [auth.zoo] }, creation(rex)]) {
          const response = await send(sent)
          assert.deepEqual([response.status, response.headers.get('retry-after')], [status, retryAfter])
          assert.doesNotMatch(response.text, /hunter2/)
        }
      })
    }
  })
}

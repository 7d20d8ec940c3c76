import assert from 'node:assert/strict'
import { operations, type PetService, StoreUnavailableError } from '../../../core/index.ts'
import { createStubStore } from '../../../core/testing/stub-store.ts'
import { assertConforms, type Mount, readCode, type TestRunner } from '../exchange.ts'
import { authHeaders, createTestService, openMount, rex, toCreateRequest } from './open-mount.ts'

/** A request with every error. */
const invalidRequest = {
  expect: ['Expect', '200-ok'],
  key: authHeaders.unknown,
  target: '/v1/nothing',
  method: 'PROPFIND',
  idempotencyKey: ['Idempotency-Key', 'no key'],
  type: ['Content-Type', 'text/plain'],
  body: '{'.repeat(70_000),
} as const

/** Corrects one error after the other, in the documented order. */
const corrections: readonly (readonly [code: string, correction: object])[] = [
  ['expectation_failed', { expect: undefined }],
  ['invalid_api_key', { key: authHeaders.small }],
  ['rate_limit_exceeded', { key: authHeaders.zoo }],
  ['route_not_found', { target: '/v1/pets' }],
  ['method_not_allowed', { method: 'POST' }],
  ['invalid_idempotency_key', { idempotencyKey: undefined }],
  ['unsupported_media_type', { type: ['Content-Type', 'application/json'] }],
  ['body_too_large', { body: '{' }],
  ['invalid_json', { body: '{}' }],
  ['invalid_pet', { body: rex }],
]

/** Broken `handle` methods, by what they do. */
const brokenHandlers: Readonly<Record<string, () => unknown>> = {
  throws: () => assert.fail('the service is broken'),
  rejects: () => Promise.reject(new Error('the service is broken')),
  'returns nothing': () => undefined,
  'returns an invalid status': () => ({ status: 99, rawHeaders: [], body: '' }),
}

/** Declares tests for error responses (interface, section 7). */
export function testErrors(mount: Mount, { describe, it }: TestRunner): void {
  describe('an invalid request', () => {
    it('gets the first error in the documented order', async (t) => {
      const sendRequest = await openMount(t, mount)
      for (let i = 0; i < 2; i++) await sendRequest({ headers: [authHeaders.small] })
      let request = invalidRequest
      for (const [code, correction] of [...corrections, [undefined, {}] as const]) {
        const { expect, key, idempotencyKey, type, ...rest } = request
        const headers = [expect, key, idempotencyKey, type].filter((header) => header !== undefined)
        assert.equal(readCode(await sendRequest({ ...rest, headers })), code)
        request = { ...request, ...correction }
      }
    })

    it('gets a 405 with Allow if the path has other methods', async (t) => {
      const sendRequest = await openMount(t, mount)
      for (const path of new Set(operations.map((operation) => operation.path))) {
        const methods = operations.filter((operation) => operation.path === path).map(({ method }) => method)
        const allowedMethods = methods.includes('GET') ? [...methods, 'HEAD'] : methods
        const target = `/v1${path.replace(/\{\w+\}/, 'x')}`
        for (const method of ['PUT', 'POST', 'PROPFIND'].filter((other) => !allowedMethods.includes(other))) {
          const response = await sendRequest({ method, target, headers: [authHeaders.zoo] })
          assert.deepEqual([response.status, response.headers.get('allow')], [405, allowedMethods.join(', ')])
        }
      }
    })
  })

  describe('a broken service', () => {
    for (const [what, handle] of Object.entries(brokenHandlers)) {
      it(`responds with 500 and reports the error if it ${what}`, async (t) => {
        const reportedCauses: unknown[] = []
        const service = createTestService({ onError: (cause) => reportedCauses.push(cause) })
        const { send, close } = await mount({ ...service, handle: handle as PetService['handle'] }) // TypeScript would reject the method
        t.after(close)
        const response = await send()
        assert.deepEqual([response.status, readCode(response)], [500, 'internal_error'])
        assertConforms(response, 'GET')
        assert.equal(response.headers.get('cache-control'), 'no-store')
        assert.equal(reportedCauses.length, 1)
      })
    }
  })

  describe('a store failure', () => {
    for (const [cause, status, retryAfter] of [
      [new Error('password=hunter2'), 500, undefined],
      [new StoreUnavailableError('hunter2', { retryAfterSeconds: 9 }), 503, '9'],
    ] as const) {
      it(`causes a ${status} that does not show the error`, async (t) => {
        const failToAccess = (): Promise<never> => Promise.reject(cause)
        const sendRequest = await openMount(t, mount, {
          store: createStubStore({ create: failToAccess, get: failToAccess, list: failToAccess }),
        })
        for (const sent of [{ headers: [authHeaders.zoo] }, toCreateRequest(rex)]) {
          const response = await sendRequest(sent)
          assert.deepEqual([response.status, response.headers.get('retry-after')], [status, retryAfter])
          assert.doesNotMatch(response.text, /hunter2/)
        }
      })
    }
  })
}

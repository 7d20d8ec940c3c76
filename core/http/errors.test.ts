import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { keyHeaders, serve } from '../testing/serve.ts'
import { createServiceRequest, throwError } from '../testing/service-request.ts'
import { createStubStore } from '../testing/stub-store.ts'
import {
  ApiError,
  findUnavailablePart,
  isApiError,
  LimiterUnavailableError,
  StoreUnavailableError,
} from './errors.ts'

/** A second copy of the module, as in an application that loads the package twice. */
const errorsCopy: typeof import('./errors.ts') = await import('./errors.ts?copy' as './errors.ts')

describe('errors from another copy of this package', () => {
  it('cause the usual status', async () => {
    const failStore = () => throwError(new errorsCopy.StoreUnavailableError('down'))
    const failLimiter = () => throwError(new errorsCopy.LimiterUnavailableError('away'))
    for (const [status, parts, body] of [
      [503, { store: createStubStore({ list: failStore }) }],
      [503, { limiter: { consume: failLimiter, peek: failLimiter } }],
      [408, {}, () => throwError(new errorsCopy.BodyError('request_timeout'))],
    ] as const) {
      const request = createServiceRequest({ method: body ? 'POST' : 'GET', headers: keyHeaders })
      const response = await serve(parts).service.handle(body ? { ...request, body } : request)
      assert.equal(response.status, status)
    }
  })

  it('are recognized by their code, and other values are not', () => {
    for (const type of [errorsCopy.ApiError, ApiError]) assert.ok(isApiError(new type('invalid_pet')))
    for (const value of [
      undefined,
      null,
      5,
      'ApiError',
      {},
      { name: 'StoreUnavailableError' },
      new Error('down'),
    ]) {
      assert.equal(findUnavailablePart(value), undefined)
      assert.ok(!isApiError(value))
    }
    assert.deepEqual(
      [new StoreUnavailableError('down'), new LimiterUnavailableError('down')].map(findUnavailablePart),
      ['store', 'limiter'],
    )
  })
})

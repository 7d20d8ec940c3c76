import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { keyed, serve } from '../testing/serve.ts'
import { fail, serviceRequest } from '../testing/service-request.ts'
import { stubStore } from '../testing/stub-store.ts'
import { ApiError, findUnavailablePart, isApiError, LimiterUnavailable, StoreUnavailable } from './errors.ts'

/** A second copy of the package's errors, whose classes are others. */
const copy: typeof import('./errors.ts') = await import('./errors.ts?copy' as './errors.ts')

describe('an error', () => {
  it('has its own status from another copy of the package', async () => {
    const down = () => fail(new copy.StoreUnavailable('down'))
    const away = () => fail(new copy.LimiterUnavailable('away'))
    for (const [status, parts, body] of [
      [503, { store: stubStore({ list: down }) }],
      [503, { limiter: { consume: away, peek: away } }],
      [408, {}, () => fail(new copy.BodyFailure('request_timeout'))],
    ] as const) {
      const request = serviceRequest({ method: body ? 'POST' : 'GET', headers: keyed })
      const response = await serve(parts).service.handle(body ? { ...request, body } : request)
      assert.equal(response.status, status)
    }
  })

  it('is recognized only if it is from the package or a copy of it', () => {
    for (const type of [copy.ApiError, ApiError]) assert.ok(isApiError(new type('invalid_pet')))
    for (const value of [
      undefined,
      null,
      5,
      'ApiError',
      {},
      { name: 'StoreUnavailable' },
      new Error('down'),
    ]) {
      assert.equal(findUnavailablePart(value), undefined)
      assert.ok(!isApiError(value))
    }
    assert.deepEqual(
      [new StoreUnavailable('down'), new LimiterUnavailable('down')].map(findUnavailablePart),
      ['store', 'limiter'],
    )
  })
})

import assert from 'node:assert/strict'
import { it } from 'node:test'
import { isApiError } from '../http/errors.ts'
import { unavailablePart } from '../http/unavailable.ts'
import { ApiError, BodyFailure, createPetService, LimiterUnavailable, StoreUnavailable } from '../index.ts'
import { serviceRequest } from '../testing/service-request.ts'

/** A second copy of the package, whose classes are others. */
const copy: typeof import('../index.ts') = await import('../index.ts?copy' as '../index.ts')
const errorsCopy: typeof import('../http/errors.ts') = await import(
  '../http/errors.ts?copy' as '../http/errors.ts'
)
const unavailableCopy: typeof import('../http/unavailable.ts') = await import(
  '../http/unavailable.ts?copy' as '../http/unavailable.ts'
)
const httpCopy: typeof import('../http/http.ts') = await import('../http/http.ts?copy' as '../http/http.ts')

const keys = { find: () => ({ id: 'zoo', plan: 'pro' }) as const }
const headers = { authorization: 'Bearer key' }

it('a StoreUnavailable of another copy of the package is a 503', async () => {
  assert.notEqual(unavailableCopy.StoreUnavailable, StoreUnavailable)
  const list = () => {
    throw new unavailableCopy.StoreUnavailable('down', { retryAfterSeconds: 7 })
  }
  const { page: _, ...store } = { ...copy.createMemoryStore(), list }
  const response = await createPetService({ keys, store }).handle(serviceRequest({ headers }))
  assert.equal(response.status, 503)
  assert.deepEqual(response.headers.slice(-2), ['Retry-After', '7'])
})

it('a LimiterUnavailable of another copy of the package is a 503', async () => {
  const fail = () => {
    throw new unavailableCopy.LimiterUnavailable('down')
  }
  const service = createPetService({ keys, limiter: { consume: fail, peek: fail } })
  assert.equal((await service.handle(serviceRequest({ headers }))).status, 503)
})

it('a BodyFailure of another copy of the package is the error of its code', async () => {
  assert.notEqual(httpCopy.BodyFailure, BodyFailure)
  const request = {
    ...serviceRequest({ method: 'POST', headers }),
    body: () => Promise.reject(new httpCopy.BodyFailure('request_timeout')),
  }
  assert.equal((await createPetService({ keys }).handle(request)).status, 408)
})

it('an ApiError of another copy of the package is recognised', () => {
  assert.notEqual(errorsCopy.ApiError, ApiError)
  assert.ok(isApiError(new errorsCopy.ApiError('invalid_pet')))
  assert.ok(isApiError(new ApiError('invalid_pet')))
})

it('nothing else is taken for an error of the package', () => {
  for (const value of [undefined, null, 5, 'ApiError', {}, { name: 'StoreUnavailable' }, new Error('down')]) {
    assert.equal(unavailablePart(value), undefined)
    assert.ok(!isApiError(value))
  }
  assert.deepEqual([new StoreUnavailable('down'), new LimiterUnavailable('down')].map(unavailablePart), [
    'store',
    'limiter',
  ])
})

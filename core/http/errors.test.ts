import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createPetService } from '../index.ts'
import { ask, fail, serviceRequest } from '../testing/service-request.ts'
import { stubStore } from '../testing/stub-store.ts'
import {
  ApiError,
  BodyFailure,
  type ErrorCode,
  errors,
  isApiError,
  LimiterUnavailable,
  StoreUnavailable,
  unavailablePart,
} from './errors.ts'

describe('an Error', () => {
  for (const code of Object.keys(errors) as ErrorCode[]) // the keys of the record
    it(`${code} has a status of an error, and its body has exactly three members`, () => {
      const error = new ApiError(code)
      assert.deepEqual(JSON.parse(error.toJson()), { code, message: error.message, status: error.status })
      assert.ok(error.status >= 400 && error.status < 600 && error.message !== '')
    })

  it('has the message and the headers that it is given', () => {
    const error = new ApiError('method_not_allowed', 'Use "GET".', ['Allow', 'GET'])
    assert.equal(error.toJson(), '{"code":"method_not_allowed","message":"Use \\"GET\\".","status":405}')
    assert.deepEqual(error.headers, ['Allow', 'GET'])
  })
})

/** A second copy of the package's errors, whose classes are others. */
const copy: typeof import('./errors.ts') = await import('./errors.ts?copy' as './errors.ts')

const keys = { find: () => ({ id: 'zoo', plan: 'pro' }) as const }
const headers = { authorization: 'Bearer key' }

it('a StoreUnavailable of another copy of the package is a 503', async () => {
  assert.notEqual(copy.StoreUnavailable, StoreUnavailable)
  const store = stubStore({ list: () => fail(new copy.StoreUnavailable('down', { retryAfterSeconds: 7 })) })
  const response = await ask(createPetService({ keys, store }), { headers })
  assert.deepEqual([response.status, response.headers.get('retry-after')], [503, '7'])
})

it('a LimiterUnavailable of another copy of the package is a 503', async () => {
  const decide = () => fail(new copy.LimiterUnavailable('down'))
  const service = createPetService({ keys, limiter: { consume: decide, peek: decide } })
  assert.equal((await ask(service, { headers })).status, 503)
})

it('a BodyFailure of another copy of the package is the error of its code', async () => {
  assert.notEqual(copy.BodyFailure, BodyFailure)
  const request = {
    ...serviceRequest({ method: 'POST', headers }),
    body: () => Promise.reject(new copy.BodyFailure('request_timeout')),
  }
  assert.equal((await createPetService({ keys }).handle(request)).status, 408)
})

it('an ApiError of another copy of the package is recognised', () => {
  assert.notEqual(copy.ApiError, ApiError)
  assert.ok(isApiError(new copy.ApiError('invalid_pet')))
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

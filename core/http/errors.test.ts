import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createMemoryStore, createPetService } from '../index.ts'
import { serviceRequest } from '../testing/service-request.ts'
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

const statuses: Readonly<Record<ErrorCode, number>> = {
  invalid_request: 400,
  invalid_json: 400,
  invalid_pet: 400,
  invalid_parameter: 400,
  missing_api_key: 401,
  invalid_api_key: 401,
  pet_not_found: 404,
  route_not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  operation_removed: 410,
  body_too_large: 413,
  unsupported_media_type: 415,
  expectation_failed: 417,
  rate_limit_exceeded: 429,
  api_key_banned: 429,
  headers_too_large: 431,
  internal_error: 500,
  service_unavailable: 503,
  invalid_idempotency_key: 400,
  idempotency_key_in_use: 409,
  idempotency_key_reused: 422,
}

describe('an Error', () => {
  for (const [code, status] of Object.entries(statuses) as [
    ErrorCode,
    number,
  ][] /* the keys of the record */) {
    it(`${code} has the status ${status}, and its body has exactly three members`, () => {
      const error = new ApiError(code)
      assert.equal(error.status, status)
      assert.deepEqual(JSON.parse(error.toJson()), { code, message: error.message, status })
      assert.notEqual(error.message, '')
    })
  }

  it('has a code of a closed set', () => assert.deepEqual(Object.keys(errors), Object.keys(statuses)))

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
  const list = () => {
    throw new copy.StoreUnavailable('down', { retryAfterSeconds: 7 })
  }
  const { page: _, ...store } = { ...createMemoryStore(), list }
  const response = await createPetService({ keys, store }).handle(serviceRequest({ headers }))
  assert.equal(response.status, 503)
  assert.deepEqual(response.headers.slice(-2), ['Retry-After', '7'])
})

it('a LimiterUnavailable of another copy of the package is a 503', async () => {
  const fail = () => {
    throw new copy.LimiterUnavailable('down')
  }
  const service = createPetService({ keys, limiter: { consume: fail, peek: fail } })
  assert.equal((await service.handle(serviceRequest({ headers }))).status, 503)
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

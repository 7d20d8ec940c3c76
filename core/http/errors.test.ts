import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ApiError, type ErrorCode, errors } from './errors.ts'

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

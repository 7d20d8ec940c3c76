import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { invalidKey, missingKey, readBearer } from './auth.ts'

const tokens: readonly (readonly [header: string, token: string])[] = [
  ['Bearer abc', 'abc'],
  ['bearer abc', 'abc'],
  ['BEARER   abc', 'abc'],
  ['Bearer aZ09-._~+/==', 'aZ09-._~+/=='],
]

const missing = [
  undefined,
  '',
  'Bearer',
  'Bearer ',
  'Basic abc',
  'BearerToken abc',
  'Token abc',
  'abc',
  'Digest a="b", c=d',
]

const invalid = [
  'Bearer abc def',
  'Bearer a,b',
  'Bearer abc, Bearer abc',
  'Bearer abc, ',
  ', Bearer abc',
  'Basic abc, Bearer abc',
  'Bearer abc, Basic abc',
  'Bearer\tabc',
  'Bearer \tabc',
  'Bearer "abc"',
  'Bearer a=b',
  'Bearer =',
  'Bearer ключ',
  'Bearer a\u0000',
]

describe('the Authorization header', () => {
  for (const [header, token] of tokens) {
    it(`${header} carries the token ${token}`, () => assert.equal(readBearer(header), token))
  }
  for (const header of missing) {
    it(`${JSON.stringify(header)} carries no key`, () => assert.equal(readBearer(header), missingKey))
  }
  for (const header of invalid) {
    it(`${JSON.stringify(header)} carries no valid key`, () => assert.equal(readBearer(header), invalidKey))
  }

  it('a challenge names an error only if the request had a credential', () => {
    assert.deepEqual(missingKey.headers, ['WWW-Authenticate', 'Bearer realm="pet-adoption-service"'])
    assert.deepEqual(invalidKey.headers, [
      'WWW-Authenticate',
      'Bearer realm="pet-adoption-service", error="invalid_token"',
    ])
  })
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { invalidKey, missingKey, readBearer } from './auth.ts'

const tokens = [
  ...['Bearer abc', 'bearer abc', 'BEARER   abc'].map((header) => [header, 'abc'] as const),
  ['Bearer aZ09-._~+/==', 'aZ09-._~+/=='] as const,
]
const missing = [
  ...[undefined, '', 'Bearer', 'Bearer ', 'Basic abc', 'BearerToken abc', 'Token abc', 'abc'],
  'Digest a="b", c=d',
]
const invalid = [
  ...[
    'abc def',
    'a,b',
    '"abc"',
    'a=b',
    '=',
    'ключ',
    'a\u0000',
    'abc, Bearer abc',
    'abc, ',
    'abc, Basic abc',
  ].map((value) => `Bearer ${value}`),
  ...[', Bearer abc', 'Basic abc, Bearer abc', 'Bearer\tabc', 'Bearer \tabc'],
]

describe('the Authorization header', () => {
  for (const [header, found] of [
    ...tokens,
    ...missing.map((header) => [header, missingKey] as const),
    ...invalid.map((header) => [header, invalidKey] as const),
  ])
    it(`${JSON.stringify(header)} is ${typeof found === 'string' ? `the token ${found}` : found.code}`, () =>
      assert.equal(readBearer(header), found))

  it('a challenge names an error only if the request had a credential', () => {
    const realm = 'Bearer realm="pet-adoption-service"'
    assert.deepEqual(missingKey.headers, ['WWW-Authenticate', realm])
    assert.deepEqual(invalidKey.headers, ['WWW-Authenticate', `${realm}, error="invalid_token"`])
  })
})

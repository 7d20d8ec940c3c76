import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readBearer } from './auth.ts'

const ofBearer = ['abc def', 'a,b', '"abc"', 'a=b', '=', 'ключ', 'a\u0000', 'abc, Bearer abc', 'abc, ']

/** Headers by the token that they have, or the code of the error. */
const headers: Readonly<Record<string, readonly (string | undefined)[]>> = {
  abc: ['Bearer abc', 'bearer abc', 'BEARER   abc'],
  'aZ09-._~+/==': ['Bearer aZ09-._~+/=='],
  missing_api_key: [
    ...[undefined, '', 'Bearer', 'Bearer ', 'Basic abc', 'BearerToken abc', 'Token abc', 'abc'],
    'Digest a="b", c=d',
  ],
  invalid_api_key: [
    ...ofBearer.map((value) => `Bearer ${value}`),
    ...['Bearer abc, Basic abc', ', Bearer abc', 'Basic abc, Bearer abc', 'Bearer\tabc', 'Bearer \tabc'],
  ],
}

describe('an Authorization header', () => {
  for (const [expected, values] of Object.entries(headers))
    for (const value of values)
      it(`has ${expected}: ${JSON.stringify(value)}`, () => {
        const read = readBearer(value)
        assert.equal(typeof read === 'string' ? read : read.code, expected)
      })
})

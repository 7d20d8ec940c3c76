import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readBearerToken } from './auth.ts'

const malformedTokens = ['abc def', 'a,b', '"abc"', 'a=b', '=', 'ключ', 'a\u0000', 'abc, Bearer abc', 'abc, ']

/** `Authorization` headers, grouped by the expected token or error code. */
const headers: Readonly<Record<string, readonly (string | undefined)[]>> = {
  abc: ['Bearer abc', 'bearer abc', 'BEARER   abc'],
  'aZ09-._~+/==': ['Bearer aZ09-._~+/=='],
  missing_api_key: [
    ...[undefined, '', 'Bearer', 'Bearer ', 'Basic abc', 'BearerToken abc', 'Token abc', 'abc'],
    'Digest a="b", c=d',
  ],
  invalid_api_key: [
    ...malformedTokens.map((value) => `Bearer ${value}`),
    ...['Bearer abc, Basic abc', ', Bearer abc', 'Basic abc, Bearer abc', 'Bearer\tabc', 'Bearer \tabc'],
  ],
}

describe('readBearerToken', () => {
  for (const [expected, values] of Object.entries(headers))
    for (const value of values)
      it(`returns ${expected} for ${JSON.stringify(value)}`, () => {
        const readToken = readBearerToken(value)
        assert.equal(typeof readToken === 'string' ? readToken : readToken.code, expected)
      })
})

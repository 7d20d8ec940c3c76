import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readExtraHeaders, secretsInHeaders, variablesIn } from './extra-headers.ts'

describe('the headers of every request', () => {
  it('are shown as variables that are named for them, unless something else is given', () => {
    const headers = readExtraHeaders({
      'X-Tenant': 's3cret-tenant',
      'X-Gate': {
        value: 'open sesame',
        shown: `open \${WORD}`,
        parts: [{ value: 'sesame', placeholder: `\${WORD}` }],
      },
    })
    assert.deepEqual(
      headers.map(({ name, shown }) => [name, shown]),
      [
        ['x-tenant', '$X_TENANT'],
        ['x-gate', `open \${WORD}`],
      ],
    )
    assert.deepEqual(variablesIn(headers), ['$X_TENANT', `\${WORD}`])
    assert.deepEqual(
      secretsInHeaders(headers).map(({ value }) => value),
      ['s3cret-tenant', 'open sesame', 'sesame'],
    )
  })

  it('are replaced only in requests if their value is a word that any deployment returns', () => {
    for (const value of ['available', 'Pending', '1', '42', 'application/json; v=2', 'x']) {
      assert.deepEqual(secretsInHeaders(readExtraHeaders({ 'X-Any': value })), [], value)
    }
    for (const value of ['staging', 'k3y', '123456789012']) {
      assert.equal(secretsInHeaders(readExtraHeaders({ 'X-Any': value })).length, 1, value)
    }
  })

  const bad: readonly (readonly [what: string, headers: Record<string, string>, message: RegExp])[] = [
    [
      'Authorization',
      { Authorization: 's3cret' },
      /^headers must not have Authorization: the suite sends the key there$/,
    ],
    ['Host', { Host: 's3cret' }, /^headers must not have host/],
    ['Content-Length', { 'content-length': '5' }, /^headers must not have content-length/],
    ['Transfer-Encoding', { 'Transfer-Encoding': 'chunked' }, /^headers must not have transfer-encoding/],
    ['a name with a blank', { 'X A': 's3cret' }, /^headers must have names such as X-Tenant/],
    ['a name twice', { 'X-A': 's3cret', 'x-a': 's3cret' }, /^headers has x-a twice/],
    ['an empty value', { 'X-A': '' }, /^headers must have a value for X-A/],
    ['a value of two lines', { 'X-A': 's3cret\r\nX-B: 1' }, /^headers must have a value for X-A/],
  ]
  for (const [what, headers, message] of bad) {
    it(`with ${what} are an error that quotes no value`, () => {
      assert.throws(
        () => readExtraHeaders(headers),
        (error) => error instanceof TypeError && message.test(error.message) && !/s3cret/.test(error.message),
      )
    })
  }
})

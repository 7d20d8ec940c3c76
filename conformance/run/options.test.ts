import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { inspect } from 'node:util'
import { findVariables, readExtraHeaders } from './extra-headers.ts'
import { type RunOptions, readOptions } from './options.ts'
import { listNetworkSecrets } from './secrets.ts'

const validOptions: RunOptions = { baseUrl: 'https://pets.test/v1', apiKey: 'main-key' }

const invalidOptions: readonly (readonly [name: string, options: object])[] = [
  ['baseUrl', { baseUrl: 'pets.test/v1' }],
  ['baseUrl', { baseUrl: 'ftp://pets.test/v1' }],
  ['baseUrl', { baseUrl: 'https://user:secret@pets.test/v1' }],
  ['baseUrl', { baseUrl: 'https://pets.test/v1?tenant=1' }],
  ['baseUrl', { baseUrl: 'https://pets.test/v1#top' }],
  ['apiKey', { apiKey: undefined }],
  ['apiKey', { apiKey: '' }],
  ['apiKey', { apiKey: 'se cret' }],
  ['apiKey', { apiKey: 'secret\r\nX-More: 1' }],
  ['profile', { profile: 'destroy' }],
  ['plan', { plan: 'gold' }],
  ['throttleKey', { profile: 'exhaust' }],
  ['throttleKey', { profile: 'all' }],
  ['throttleKey', { throttleKey: 'se cret' }],
  ['throttleKey', { throttleKey: 'main-key' }],
  ['categoryId', { categoryId: 2n ** 63n }],
  ['maxRequests', { maxRequests: 0 }],
  ['maxRequests', { maxRequests: 1.5 }],
  ['now', { now: new Date('soon') }],
  ['pace', { pace: 0 }],
  ['pace', { pace: Number.NaN }],
  ...[
    { Authorization: 'secret' },
    { Host: 'secret' },
    { 'content-length': '5' },
    { 'Transfer-Encoding': 'chunked' },
    { 'X A': 'secret' },
    { 'X-A': 'secret', 'x-a': 'secret' },
    { 'X-A': '' },
    { 'X-A': 'secret\r\nX-B: 1' },
  ].map((headers) => ['headers', { headers }] as const),
  ['tls', { tls: { clientCert: 'secret' } }],
  ['tls', { tls: { clientKey: 'secret' } }],
  ['tls', { tls: {}, fetch }],
  ['proxy', { proxy: 'socks5://user:secret@proxy.test' }],
  ['proxy', { proxy: 'http://proxy.test', fetch }],
  ['timeoutMs', { timeoutMs: 0 }],
  ['timeoutMs', { timeoutMs: 2 ** 31 }],
]

describe('readOptions', () => {
  for (const [name, options] of invalidOptions) {
    it(`rejects an invalid ${name} without quoting it: ${inspect(options)}`, () => {
      // Some options have a wrong type on purpose.
      const mergedOptions = { ...validOptions, ...options } as RunOptions
      assert.throws(
        () => readOptions(mergedOptions),
        (error) =>
          error instanceof TypeError &&
          error.message.startsWith(name) &&
          !/secret|se cret|main-key/.test(error.message),
      )
    })
  }

  it('removes trailing slashes from the base URL', () => {
    assert.equal(
      readOptions({ ...validOptions, baseUrl: 'https://pets.test/v1/' }).baseUrl,
      'https://pets.test/v1',
    )
  })

  it('has defaults for the profile, the timeout and random bytes', () => {
    const { profile, timeoutMs, random } = readOptions(validOptions)
    assert.deepEqual([profile, timeoutMs, random(3).length], ['read', 10_000, 3])
  })
})

describe('an additional header', () => {
  it('is replaced in reports, as a whole and in parts', () => {
    const extraHeaders = readExtraHeaders({
      'X-Tenant': 's3cret-tenant',
      'X-Gate': {
        value: 'open sesame',
        shown: `open \${WORD}`,
        parts: [{ value: 'sesame', placeholder: `\${WORD}` }],
      },
    })
    assert.deepEqual(
      extraHeaders.map(({ name, shown }) => [name, shown]),
      [
        ['x-tenant', '$X_TENANT'],
        ['x-gate', `open \${WORD}`],
      ],
    )
    assert.deepEqual(findVariables(extraHeaders), ['$X_TENANT', `\${WORD}`])
    assert.deepEqual(
      listNetworkSecrets(extraHeaders, undefined).map(({ value }) => value),
      ['s3cret-tenant', 'open sesame', 'sesame'],
    )
  })

  it('is not redacted if its value is a common word or a short number', () => {
    for (const value of ['available', 'Pending', '1', '42', 'application/json; v=2', 'x']) {
      assert.deepEqual(listNetworkSecrets(readExtraHeaders({ 'X-Any': value }), undefined), [], value)
    }
    for (const value of ['staging', 'k3y', '123456789012']) {
      assert.equal(listNetworkSecrets(readExtraHeaders({ 'X-Any': value }), undefined).length, 1, value)
    }
  })
})

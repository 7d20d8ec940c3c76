import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { inspect } from 'node:util'
import { findVariables, readExtraHeaders } from './extra-headers.ts'
import { type RunOptions, readOptions } from './options.ts'
import { listNetworkSecrets } from './secrets.ts'

const good: RunOptions = { baseUrl: 'https://pets.test/v1', key: 'main-key' }

const bad: readonly (readonly [name: string, options: object])[] = [
  ['baseUrl', { baseUrl: 'pets.test/v1' }],
  ['baseUrl', { baseUrl: 'ftp://pets.test/v1' }],
  ['baseUrl', { baseUrl: 'https://user:secret@pets.test/v1' }],
  ['baseUrl', { baseUrl: 'https://pets.test/v1?tenant=1' }],
  ['baseUrl', { baseUrl: 'https://pets.test/v1#top' }],
  ['key', { key: undefined }],
  ['key', { key: '' }],
  ['key', { key: 'se cret' }],
  ['key', { key: 'secret\r\nX-More: 1' }],
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
  ['tls', { tls: { cert: 'secret' } }],
  ['tls', { tls: { key: 'secret' } }],
  ['tls', { tls: {}, fetch }],
  ['proxy', { proxy: 'socks5://user:secret@proxy.test' }],
  ['proxy', { proxy: 'http://proxy.test', fetch }],
  ['timeoutMs', { timeoutMs: 0 }],
  ['timeoutMs', { timeoutMs: 2 ** 31 }],
]

describe('an option of a run', () => {
  for (const [name, options] of bad) {
    it(`is rejected by its name: ${name} in ${inspect(options)}`, () => {
      // as a caller without types might pass them
      const given = { ...good, ...options } as RunOptions
      assert.throws(
        () => readOptions(given),
        (error) =>
          error instanceof TypeError &&
          error.message.startsWith(name) &&
          !/secret|se cret|main-key/.test(error.message),
      )
    })
  }

  it('may be a base URL with a slash at the end', () => {
    assert.equal(readOptions({ ...good, baseUrl: 'https://pets.test/v1/' }).baseUrl, 'https://pets.test/v1')
  })

  it('defaults to the profile read and a timeout of 10 s', () => {
    const { profile, timeoutMs, random } = readOptions(good)
    assert.deepEqual([profile, timeoutMs, random(3).length], ['read', 10_000, 3])
  })
})

describe('extra headers', () => {
  it('are shown as variables of their name by default', () => {
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
    assert.deepEqual(findVariables(headers), ['$X_TENANT', `\${WORD}`])
    assert.deepEqual(
      listNetworkSecrets(headers, undefined).map(({ value }) => value),
      ['s3cret-tenant', 'open sesame', 'sesame'],
    )
  })

  it('may be common words, which are replaced only in requests', () => {
    for (const value of ['available', 'Pending', '1', '42', 'application/json; v=2', 'x']) {
      assert.deepEqual(listNetworkSecrets(readExtraHeaders({ 'X-Any': value }), undefined), [], value)
    }
    for (const value of ['staging', 'k3y', '123456789012']) {
      assert.equal(listNetworkSecrets(readExtraHeaders({ 'X-Any': value }), undefined).length, 1, value)
    }
  })
})

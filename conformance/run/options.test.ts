import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type RunOptions, readOptions } from './options.ts'

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
  ['headers', { headers: { Authorization: 'secret' } }],
  ['headers', { headers: { 'X-Gate': 'secret\n' } }],
  ['tls', { tls: { cert: 'secret' } }],
  ['tls', { tls: { key: 'secret' } }],
  ['tls', { tls: {}, fetch }],
  ['proxy', { proxy: 'socks5://user:secret@proxy.test' }],
  ['proxy', { proxy: 'http://proxy.test', fetch }],
  ['timeoutMs', { timeoutMs: 0 }],
  ['timeoutMs', { timeoutMs: 2 ** 31 }],
]

for (const [name, options] of bad) {
  test(`the option ${name} is rejected in ${JSON.stringify(options, (_, value) => (typeof value === 'bigint' ? `${value}` : value))}`, () => {
    // what a caller without types might hand over
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

test('a slash at the end of the base URL is removed', () => {
  assert.equal(readOptions({ ...good, baseUrl: 'https://pets.test/v1/' }).baseUrl, 'https://pets.test/v1')
})

test('by default a run only reads, with a timeout of ten seconds for each exchange', () => {
  const { profile, timeoutMs, random } = readOptions(good)
  assert.deepEqual([profile, timeoutMs, random(3).length], ['read', 10_000, 3])
})

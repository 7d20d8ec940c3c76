import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readRedisAddress } from './redis-address.ts'

test('an address of one Redis is left as it is, its scheme apart', () => {
  for (const url of ['redis://127.0.0.1:6379', 'rediss://user:pass@redis.example.com/2', 'REDISS://[::1]'])
    assert.deepEqual(readRedisAddress(url), { kind: 'single', url: url.replace('REDISS', 'rediss') })
})

test('an address of a cluster has its servers, its credentials and TLS', () => {
  assert.deepEqual(readRedisAddress('rediss+cluster://user:p%40ss@one.example.com,[::1]:7001'), {
    kind: 'cluster',
    seeds: [
      { host: 'one.example.com', port: 6379 },
      { host: '::1', port: 7001 },
    ],
    options: { username: 'user', password: 'p@ss', tls: {} },
  })
})

test('an address of Sentinels has the name of the master, and credentials of both', () => {
  const address = 'redis+sentinel://:se:c@ret@one,two:26380/limits?sentinel-password=other'
  const sentinels = [
    { host: 'one', port: 26_379 },
    { host: 'two', port: 26_380 },
  ]
  const options = { password: 'se:c@ret', sentinels, name: 'limits', sentinelPassword: 'other' }
  assert.deepEqual(readRedisAddress(address), { kind: 'sentinel', options })
})

test('the scheme of an address may be in capitals', () => {
  for (const address of ['redis+cluster://one', 'rediss+cluster://one', 'redis+sentinel://one/limits']) {
    const [scheme = ''] = address.split(':')
    assert.deepEqual(
      readRedisAddress(address.replace(scheme, scheme.toUpperCase())),
      readRedisAddress(address),
    )
  }
})

const invalid: Readonly<Record<string, RegExp>> = {
  '127.0.0.1:6379': /give redis:\/\/HOST:PORT/,
  'http://127.0.0.1:6379': /give redis:\/\/HOST:PORT/,
  'redis+cluster://': /separate hosts by commas/,
  'redis+cluster://:the-password@one,,two': /separate hosts by commas/,
  'redis+cluster://one:99999': /separate hosts by commas/,
  'redis+cluster://one/2': /has one database/,
  'rediss+x://:the-password@one': /give redis:/,
  'redis+sentinel://one': /name of the master/,
  'redis+sentinel://one/two/three': /name of the master/,
  'redis+sentinel://one/limits?db=2': /sentinel-username and sentinel-password/,
  'redis+cluster://:p%@one': /percent-encode/,
}

for (const [address, message] of Object.entries(invalid))
  test(`${address} is no address of Redis, and the error does not show its password`, () => {
    assert.throws(
      () => readRedisAddress(address),
      (error: Error) => message.test(error.message) && !error.message.includes('the-password'),
    )
  })

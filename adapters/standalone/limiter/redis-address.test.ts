import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readRedisAddress } from './redis-address.ts'

const hosts = [
  { host: 'one', port: 26_379 },
  { host: 'two', port: 26_380 },
]
for (const [address, expected] of [
  [
    'redis://127.0.0.1:6379',
    { kind: 'single', url: 'redis://127.0.0.1:6379', hosts: [{ host: '127.0.0.1', port: 6379 }] },
  ],
  [
    'REDISS://user:pass@[::1]/2',
    { kind: 'single', url: 'rediss://user:pass@[::1]/2', hosts: [{ host: '::1', port: 6379 }] },
  ],
  ['Redis+Cluster://one', { kind: 'cluster', hosts: [{ host: 'one', port: 6379 }], options: {} }],
  [
    'rediss+cluster://user:p%40ss@[::1]:7001',
    {
      kind: 'cluster',
      hosts: [{ host: '::1', port: 7001 }],
      options: { username: 'user', password: 'p@ss', tls: {} },
    },
  ],
  [
    'redis+sentinel://:se:c@ret@one,two:26380/limits?sentinel-password=other',
    {
      kind: 'sentinel',
      hosts,
      options: { password: 'se:c@ret', name: 'limits', sentinelPassword: 'other' },
    },
  ],
] as const)
  test(`${address} has the servers, the credentials and TLS`, () => {
    assert.deepEqual(readRedisAddress(address), expected)
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
  test(`rejects ${address} without showing its password`, () => {
    assert.throws(
      () => readRedisAddress(address),
      (error: Error) => message.test(error.message) && !error.message.includes('the-password'),
    )
  })

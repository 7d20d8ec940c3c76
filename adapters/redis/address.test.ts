import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parseRedisAddress } from './address.ts'

const hosts = [
  { host: 'one', port: 26_379 },
  { host: 'two', port: 26_380 },
]

describe('parseRedisAddress', () => {
  for (const [address, expected] of [
    ['redis://127.0.0.1:6380', { kind: 'single', hosts: [{ host: '127.0.0.1', port: 6380 }], options: {} }],
    ['redis://', { kind: 'single', hosts: [{ host: 'localhost', port: 6379 }], options: {} }],
    [
      'REDISS://user:p%40ss/word#@[::1]/2',
      {
        kind: 'single',
        hosts: [{ host: '::1', port: 6379 }],
        options: { username: 'user', password: 'p@ss/word#', tls: {}, db: 2 },
      },
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
    it(`parses ${address}`, () => {
      assert.deepEqual(parseRedisAddress(address), expected)
    })

  const invalidAddresses: Readonly<Record<string, RegExp>> = {
    '127.0.0.1:6379': /expected redis:\/\/HOST:PORT/,
    'http://127.0.0.1:6379': /expected redis:\/\/HOST:PORT/,
    'rediss+x://:the-password@one': /expected redis:/,
    'redis://:the-password%@one': /percent-encode/,
    'redis+cluster://:the-password%@one': /percent-encode/,
    'redis://one/limits': /must be a database number/,
    'redis://one/0?family=6': /remove the query string/,
    'redis://one,two': /expected one host, or redis\+cluster:/,
    'redis+cluster://': /expected hosts separated by commas/,
    'redis+cluster://:the-password@one,,two': /expected hosts separated by commas/,
    'redis+cluster://one:99999': /expected hosts separated by commas/,
    'redis+cluster://one/2': /has a single database/,
    'redis+sentinel://one': /must be the master name/,
    'redis+sentinel://one/two/three': /must be the master name/,
    'redis+sentinel://one/limits?db=2': /sentinel-username and sentinel-password/,
  }
  for (const [address, message] of Object.entries(invalidAddresses))
    it(`rejects ${address}`, () => {
      assert.throws(
        () => parseRedisAddress(address),
        (error: Error) => message.test(error.message) && !error.message.includes('the-password'),
      )
    })
})

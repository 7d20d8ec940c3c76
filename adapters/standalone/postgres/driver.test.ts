import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readAddress } from './driver.ts'

const urlsOf = (address: string) => readAddress(address, '--postgres').hosts.map(({ url }) => url)

for (const address of [
  'postgres://pets:p%40ss@db.example.com:5432/pets?sslmode=verify-full',
  'postgresql://db/pets',
  'POSTGRES://db/pets',
  'PostgreSQL://db/pets',
  'postgres://[::1]:5432/pets',
  'postgres:///pets?host=/var/run/postgresql',
  'postgres://%2Fvar%2Frun%2Fpostgresql/pets',
])
  test(`an address of one host is that of the driver: ${address}`, () => {
    assert.deepEqual(urlsOf(address), [address])
  })

test('an address of several hosts is one for each, with the same user, database and parameters', () => {
  const { hosts } = readAddress('postgres://u:p@a:1,b,[::1]:3/pets?ssl=true', '--postgres')
  assert.deepEqual(hosts, [
    { name: 'a:1', url: 'postgres://u:p@a:1/pets?ssl=true', isOnly: false },
    { name: 'b', url: 'postgres://u:p@b/pets?ssl=true', isOnly: false },
    { name: '[::1]:3', url: 'postgres://u:p@[::1]:3/pets?ssl=true', isOnly: false },
  ])
})

test('a timeout of statements is read, and hidden from the driver', () => {
  for (const [parameters, others] of [
    ['?query_timeout=300', ''],
    ['?ssl=true&query_timeout=300', '?ssl=true'],
    ['?query_timeout=300&ssl=true', '?ssl=true'],
  ] as const) {
    const { hosts, queryTimeout } = readAddress(`postgres://a/pets${parameters}`, '--postgres')
    assert.deepEqual([hosts[0]?.url, queryTimeout], [`postgres://a/pets${others}`, 300])
  }
  assert.equal(readAddress('postgres://a/pets', '--postgres').queryTimeout, undefined)
})

for (const [address, message] of [
  ['mysql://u:secret@a/pets', /^DATABASE_URL must be an address such as postgres:/],
  ['postgres://u:secret@a:1,,b/pets', /^DATABASE_URL has an empty host: write /],
  ['postgres://u:secret@a,:5432/pets', /^DATABASE_URL has an empty host: write /],
] as const)
  test(`an address is rejected without showing it: ${address}`, () => {
    assert.throws(
      () => readAddress(address, 'DATABASE_URL'),
      (error: Error) =>
        error.name === 'StartError' && message.test(error.message) && !error.message.includes('secret'),
    )
  })

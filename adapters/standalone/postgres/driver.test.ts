import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadPg } from './driver.ts'

for (const address of [
  'postgres://pets:p%40ss@db.example.com:5432/pets?sslmode=verify-full',
  'PostgreSQL://db/pets',
  'postgres://[::1]:5432/pets',
  'postgres:///pets?host=/var/run/postgresql',
  'postgres://%2Fvar%2Frun%2Fpostgresql/pets',
])
  test(`an address is that of the driver: ${address}`, async () => {
    assert.equal(typeof (await loadPg(address, '--postgres')).Pool, 'function')
  })

for (const [address, message] of [
  ['mysql://u:secret@a/pets', /^DATABASE_URL is not the address of a database: write postgres:/],
  ['postgres://u:secret@a:1,b:2/pets', /^DATABASE_URL is not the address of a database: .* with one host/],
  ['postgres://u:secret@a,b/pets', /^DATABASE_URL is not the address of a database: .* with one host/],
  ['postgres://u:secret@a/pets?query_timeout=3', /^DATABASE_URL has the parameter query_timeout: remove it/],
] as const)
  test(`an address is rejected without showing it: ${address}`, async () => {
    await assert.rejects(
      loadPg(address, 'DATABASE_URL'),
      (error: Error) =>
        error.name === 'StartError' && message.test(error.message) && !error.message.includes('secret'),
    )
  })

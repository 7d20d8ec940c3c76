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
  test(`accepts an address of the driver: ${address}`, async () => {
    assert.equal(typeof (await loadPg(address, '--postgres')).Pool, 'function')
  })

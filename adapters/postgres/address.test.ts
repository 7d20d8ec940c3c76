import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import pg from 'pg'
import { readHost } from './address.ts'

describe('the PostgreSQL URL', () => {
  for (const [address, host] of [
    ['postgres://pets:p%40ss@db.example.com:5433/pets?sslmode=verify-full', 'db.example.com:5433'],
    ['PostgreSQL://db/pets', 'db:5432'],
    ['postgres://[::1]:5432/pets', '::1:5432'],
    ['postgres:///pets?host=/var/run/postgresql', '/var/run/postgresql:5432'],
    ['postgres://%2Fvar%2Frun%2Fpostgresql/pets', '/var/run/postgresql:5432'],
  ] as const)
    it(`accepts ${address}`, () => assert.equal(readHost(pg, address), host))

  for (const [address, code, message] of [
    ['mysql://db/pets', 'invalid_address', /^options.url is not a database URL: write postgres:/],
    ['postgres://pets:secret@a,b/pets', 'invalid_address', /with one host/],
    ['postgres://pets:secret@a:1,b:2/pets', 'invalid_address', /with one host/],
    ['postgres://pets:sec%ret@db:port/pets', 'invalid_address', /percent-encoded/],
    ['postgres://pets:secret@db/pets?query_timeout=1', 'invalid_address', /query_timeout: remove it/],
    ['postgres://pets:secret@db/pets?sslrootcert=/no/ca.pem', 'unusable', /ENOENT.*ca\.pem'/],
  ] as const)
    it(`rejects ${address} as ${code}`, () =>
      assert.throws(
        () => readHost(pg, address),
        (error: Error) => {
          assert.doesNotMatch(error.message, /sec/)
          assert.match(error.message, message)
          return 'code' in error && error.code === code
        },
      ))
})

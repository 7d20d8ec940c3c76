import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { defaultDeprecatedSince, deprecationFields } from './deprecation.ts'
import { operations } from './operations.ts'

const headersOf = (id: string) =>
  operations
    .filter((operation) => operation.id === id)
    .flatMap((it) => deprecationFields(it, '/zoo/v1', 1_800_000_000))
    .flat()

describe('the deprecation headers', () => {
  it('the headers of getPet contain the dates of deprecation and removal, and the successor', () => {
    assert.deepEqual(headersOf('getPet'), [
      'Deprecation',
      '@1800000000',
      'Sunset',
      'Thu, 05 Dec 2030 00:00:00 GMT',
      'Link',
      '</zoo/v1/pets>; rel="successor-version"',
    ])
  })

  it('operations that are not deprecated have no such headers', () => {
    assert.deepEqual(headersOf('listPets'), [])
    assert.deepEqual(headersOf('createPet'), [])
  })

  it('the default date of deprecation is that of the specification', () => {
    assert.equal(new Date(defaultDeprecatedSince * 1000).toISOString(), '2026-11-20T00:00:00.000Z')
  })
})

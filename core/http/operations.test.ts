import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { defaultDeprecatedSince, deprecationFields, operations, route } from './operations.ts'

const found: readonly (readonly [
  method: string,
  path: string,
  operation: string | undefined,
  parameter?: string,
])[] = [
  ['GET', '/pets', 'listPets'],
  ['HEAD', '/pets', 'listPets'],
  ['POST', '/pets', 'createPet'],
  ['GET', '/pets/7', 'getPet', '7'],
  ['HEAD', '/pets/7', 'getPet', '7'],
  ['GET', '/pets/%2F', 'getPet', '%2F'],
  ['GET', '/pets/..', 'getPet', '..'],
  ['DELETE', '/pets', undefined],
  ['OPTIONS', '/pets', undefined],
  ['get', '/pets', undefined],
  ['POST', '/pets/7', undefined, '7'],
  ['constructor', '/pets/7', undefined, '7'],
]

describe('the router', () => {
  for (const [method, path, operation, parameter = ''] of found) {
    it(`finds ${operation ?? 'only other methods'} for ${method} ${path}`, () => {
      const leads = route(method, path)
      assert.equal(leads?.operation?.id, operation)
      assert.equal(leads?.parameter, parameter)
    })
  }

  for (const path of [
    '',
    '/',
    '/pet',
    '/petsx',
    '/pets/',
    '/pets/7/',
    '/pets/7/8',
    '//pets',
    '/Pets',
    '/pets%2F7',
    '/store/orders',
  ]) {
    it(`finds nothing at "${path}"`, () => assert.equal(route('GET', path), undefined))
  }

  it('returns the methods that a path supports', () => {
    assert.deepEqual(route('PUT', '/pets')?.allow, ['GET', 'POST', 'HEAD'])
    assert.deepEqual(route('PUT', '/pets/7')?.allow, ['GET', 'HEAD'])
  })
})

describe('the operations', () => {
  it('are the three of the interface, of which getPet is to be removed on 5 December 2030', () => {
    assert.deepEqual(
      operations.map(({ id, deprecated }) => [id, deprecated && new Date(deprecated.removal).toISOString()]),
      [
        ['listPets', undefined],
        ['createPet', undefined],
        ['getPet', '2030-12-05T00:00:00.000Z'],
      ],
    )
  })
})

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

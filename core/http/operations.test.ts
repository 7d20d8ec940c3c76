import assert from 'node:assert/strict'
import { it } from 'node:test'
import { defaultDeprecatedSince, deprecationFields, operations, route } from './operations.ts'

it('a path leads to the operation of its method, and a parameter is whatever stands in its place', () => {
  for (const [method, path, id, parameter] of [
    ['HEAD', '/pets', 'listPets', ''],
    ['POST', '/pets', 'createPet', ''],
    ['HEAD', '/pets/7', 'getPet', '7'],
    ['GET', '/pets/%2F', 'getPet', '%2F'],
    ['GET', '/pets/..', 'getPet', '..'],
    ['get', '/pets', undefined, ''],
    ['constructor', '/pets/7', undefined, '7'],
  ] as const) {
    const leads = route(method, path)
    assert.deepEqual([leads?.operation?.id, leads?.parameter], [id, parameter], `${method} ${path}`)
  }
  for (const path of ['', '/', '/pet', '/petsx', '/pets/', '/pets/7/', '/pets/7/8', '//pets', '/pets%2F7'])
    assert.equal(route('GET', path), undefined, path)
})

it('of the three operations, getPet alone has deprecation headers, with its dates and its successor', () => {
  const headers = operations.map((it) => [it.id, ...deprecationFields(it, '/zoo/v1', 1_800_000_000).flat()])
  const sunset = ['Sunset', 'Thu, 05 Dec 2030 00:00:00 GMT']
  const link = ['Link', '</zoo/v1/pets>; rel="successor-version"']
  const getPet = ['getPet', 'Deprecation', '@1800000000', ...sunset, ...link]
  assert.deepEqual(headers, [['listPets'], ['createPet'], getPet])
  assert.equal(new Date(defaultDeprecatedSince * 1000).toISOString(), '2026-11-20T00:00:00.000Z')
})

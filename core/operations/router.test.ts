import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { operations } from './index.ts'
import { createRouter } from './router.ts'

const route = createRouter(operations)

describe('createRouter', () => {
  it('finds the operation and the path parameter', () => {
    for (const [method, path, id, parameter] of [
      ['HEAD', '/pets', 'listPets', ''],
      ['POST', '/pets', 'createPet', ''],
      ['HEAD', '/pets/7', 'getPet', '7'],
      ['GET', '/pets/%2F', 'getPet', '%2F'],
      ['GET', '/pets/..', 'getPet', '..'],
      ['get', '/pets', undefined, ''],
      ['constructor', '/pets/7', undefined, '7'],
    ] as const) {
      const matchedRoute = route(method, path)
      assert.deepEqual(
        [matchedRoute?.operation?.id, matchedRoute?.parameter],
        [id, parameter],
        `${method} ${path}`,
      )
    }
    for (const path of ['', '/', '/pet', '/petsx', '/pets/', '/pets/7/', '/pets/7/8', '//pets', '/pets%2F7'])
      assert.equal(route('GET', path), undefined, path)
  })

  it('rejects paths and methods that no given operation has', () => {
    const createTestRouter = (...ids: string[]) =>
      createRouter(operations.filter(({ id }) => ids.includes(id)))
    assert.equal(createTestRouter('listPets')('GET', '/pets/7'), undefined)
    const matchedRoute = createTestRouter('listPets')('POST', '/pets')
    assert.deepEqual([matchedRoute?.operation, matchedRoute?.allowedMethods], [undefined, ['GET', 'HEAD']])
  })
})

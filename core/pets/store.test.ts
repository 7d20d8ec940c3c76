import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { listSupportedOperations, operations } from '../operations/index.ts'
import { addRex, keyHeaders, serve } from '../testing/serve.ts'
import { createStubStore } from '../testing/stub-store.ts'
import { createMemoryStore } from './memory-store.ts'
import { type PetStore, storeMethods, wrapStore } from './store.ts'

describe('wrapStore', () => {
  it('passes the effect of each method to the wrapper', () => {
    const recordEffects = (store: PetStore) => {
      // The wrapped method returns its effect instead of a result.
      const wrappedStore = wrapStore({ reads: store, writes: store }, (effect) => () => effect as never)
      return Object.fromEntries(Object.entries(wrappedStore).map(([name, method]) => [name, method()]))
    }
    assert.deepEqual(recordEffects(createMemoryStore()), storeMethods)
    assert.deepEqual(recordEffects(createStubStore()), { create: 'writes', get: 'reads', list: 'reads' })
  })
})

describe('the operations', () => {
  it('exclude an operation whose method the store lacks', () => {
    // Untyped code may pass such a store.
    const incompleteStore = { ...createStubStore(), get: undefined } as unknown as PetStore
    assert.deepEqual(
      listSupportedOperations(incompleteStore).map(({ id }) => id),
      ['listPets', 'createPet'],
    )
  })

  for (const { id, method, path, requires, body, success } of operations) {
    const effect = requires.some((name) => storeMethods[name] === 'writes') ? 'writes' : 'reads'
    it(`include ${id}, which only ${effect} animals`, async () => {
      const calledMethods = new Set<string>()
      const [reads, writes] = [createMemoryStore(), createMemoryStore()]
      for (const store of [reads, writes]) store.create({ name: 'Rex', categoryId: 7n })
      const animals = () => [reads, writes].map((store) => store.page({ limit: 100 }).json)
      const [inReads, inWrites] = animals()
      const store = wrapStore({ reads, writes }, (effect, call) => (...parameters) => {
        calledMethods.add(effect)
        return call(...parameters)
      })
      const { send } = serve({ store })
      const target = `/v1${path.replace('{petId}', '1')}`
      const { status } = await send({
        method,
        target,
        headers: keyHeaders,
        ...(body && { body: addRex.body }),
      })
      assert.equal(status, success.status)
      assert.deepEqual([...calledMethods], [effect])
      const animalsAfter = animals()
      assert.equal(animalsAfter[0], inReads)
      assert.equal(animalsAfter[1] !== inWrites, effect === 'writes')
    })
  }
})

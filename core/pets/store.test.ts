import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { operations } from '../index.ts'
import { addRex, keyed, serve } from '../testing/serve.ts'
import { stubStore } from '../testing/stub-store.ts'
import { createMemoryStore } from './memory-store.ts'
import { type PetStore, storeMethods, wrapStore } from './store.ts'

describe('a wrapped store', () => {
  it('has exactly the methods of the store, wrapped by effect', () => {
    const recordEffects = (store: PetStore) => {
      const wrapped = wrapStore({ reads: store, writes: store }, (effect) => () => effect as never) // no method returns its effect
      return Object.fromEntries(Object.entries(wrapped).map(([name, method]) => [name, method()]))
    }
    assert.deepEqual(recordEffects(createMemoryStore()), storeMethods)
    assert.deepEqual(recordEffects(stubStore()), { create: 'writes', get: 'reads', list: 'reads' })
  })
})

describe('an operation', () => {
  for (const { id, method, path, effect, body, success } of operations)
    it(`calls only methods of the store with its effect: ${id}, ${effect}`, async () => {
      const called = new Set<string>()
      const [reads, writes] = [createMemoryStore(), createMemoryStore()]
      for (const store of [reads, writes]) store.create({ name: 'Rex', categoryId: 7n })
      const animals = () => [reads, writes].map((store) => store.page({ limit: 100 }).json)
      const [inReads, inWrites] = animals()
      const store = wrapStore({ reads, writes }, (effect, call) => (...parameters) => {
        called.add(effect)
        return call(...parameters)
      })
      const { ask } = serve({ store })
      const target = `/v1${path.replace('{petId}', '1')}`
      const { status } = await ask({ method, target, headers: keyed, ...(body && { body: addRex.body }) })
      assert.equal(status, success.status)
      assert.deepEqual([...called], [effect])
      const after = animals()
      assert.equal(after[0], inReads)
      assert.equal(after[1] !== inWrites, effect === 'writes')
    })
})

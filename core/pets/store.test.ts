import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stubStore } from '../testing/stub-store.ts'
import { createMemoryStore } from './memory-store.ts'
import { storeByEffect, storeMethods, wrapStore } from './store.ts'

test('a wrapped store has every method of the store, wrapped as its row says, and none that the store lacks', () => {
  const wrapped: string[] = []
  const wrap = (store: Parameters<typeof wrapStore>[0]) =>
    wrapStore(store, (effect, method) => {
      wrapped.push(effect)
      return method
    })
  assert.deepEqual(Object.keys(wrap(createMemoryStore())).sort(), Object.keys(storeMethods).sort())
  assert.deepEqual(wrapped, Object.values(storeMethods))
  assert.deepEqual(Object.keys(wrap(stubStore())).sort(), ['create', 'get', 'list'])
})

test('a store of two has the reads of one and the writes of the other', () => {
  const [reads, writes] = [createMemoryStore(), createMemoryStore()]
  const store = storeByEffect({ reads, writes })
  assert.equal(store.list, reads.list)
  assert.equal(store.remove, writes.remove)
})

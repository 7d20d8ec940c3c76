import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createKeyStore, createPetService, operations, sha256 } from '../index.ts'
import { ask } from '../testing/service-request.ts'
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

for (const { id, method, path, effect, body } of operations)
  test(`${id} ${effect}: it calls methods of the store accordingly`, async () => {
    const called: string[] = []
    const store = createMemoryStore()
    await store.create({ name: 'Rex', categoryId: 7n })
    const service = createPetService({
      keys: createKeyStore([{ id: 'tester', sha256: sha256('a-key'), plan: 'free' }]),
      store: wrapStore(store, (effect, call) => (...parameters) => {
        called.push(effect)
        return call(...parameters)
      }),
    })
    const { status } = await ask(service, {
      method,
      target: `/v1${path.replace('{petId}', '1')}`,
      headers: { authorization: 'Bearer a-key' },
      ...(body && { body: '{"name":"Mia","categoryId":3}' }),
    })
    assert.ok(status < 300)
    assert.equal(called.includes('writes'), effect === 'writes')
    assert.ok(called.length > 0)
  })

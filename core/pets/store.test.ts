import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operations } from '../index.ts'
import { keyed, serve } from '../testing/serve.ts'
import { stubStore } from '../testing/stub-store.ts'
import { createMemoryStore } from './memory-store.ts'
import { type PetStore, storeMethods, wrapStore } from './store.ts'

test('a wrapped store has every method of the store, wrapped as its row says, and none that the store lacks', () => {
  const wrapped: string[] = []
  const wrap = (store: PetStore) =>
    wrapStore({ reads: store, writes: store }, (effect, method) => {
      wrapped.push(effect)
      return method
    })
  assert.deepEqual(Object.keys(wrap(createMemoryStore())).sort(), Object.keys(storeMethods).sort())
  assert.deepEqual(wrapped, Object.values(storeMethods))
  assert.deepEqual(Object.keys(wrap(stubStore())).sort(), ['create', 'get', 'list'])
})

test('a wrapped store reads from one store and writes to the other', async () => {
  const [reads, writes] = [createMemoryStore(), createMemoryStore()]
  const store = wrapStore({ reads, writes }, (_effect, method) => method)
  await store.create({ name: 'Rex', categoryId: 7n })
  assert.deepEqual(
    [reads, writes, store].map((each) => each.get(1n) !== undefined),
    [false, true, false],
  )
})

for (const { id, method, path, effect, body } of operations)
  test(`${id} ${effect}: it calls methods of the store accordingly`, async () => {
    const called: string[] = []
    const store = createMemoryStore()
    await store.create({ name: 'Rex', categoryId: 7n })
    const { ask } = serve({
      store: wrapStore({ reads: store, writes: store }, (effect, call) => (...parameters) => {
        called.push(effect)
        return call(...parameters)
      }),
    })
    const { status } = await ask({
      method,
      target: `/v1${path.replace('{petId}', '1')}`,
      headers: keyed,
      ...(body && { body: '{"name":"Mia","categoryId":3}' }),
    })
    assert.ok(status < 300)
    assert.equal(called.includes('writes'), effect === 'writes')
    assert.ok(called.length > 0)
  })

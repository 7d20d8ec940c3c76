import assert from 'node:assert/strict'
import { animals, assertListed, createAll, idOf, keyOf, readPages, rex, type StoreCase } from './cases.ts'

/** The rules that hold over a restart. */
export const reopeningCases: readonly StoreCase[] = [
  {
    name: 'still has every animal when it is opened again, and uses no id twice',
    needs: ['reopenStore'],
    async run(first, reopen) {
      const before = await createAll(first, animals(10))
      await reopen(async (second) => {
        assertListed(await readPages(second, { limit: 20 }), before)
        const after = await createAll(second, animals(10))
        assertListed(await readPages(second, { limit: 20 }), [...before, ...after])
      })
    },
  },
  {
    name: 'still has the keys of creations when it is opened again',
    needs: ['reopenStore', 'createOnce'],
    async run(first, reopen) {
      const id = idOf(await first.createOnce(rex, keyOf('a')))
      await reopen(async (second) => {
        assert.deepEqual(await second.findCreated(keyOf('a')), { outcome: 'replayed', id })
        assert.deepEqual(await second.createOnce(rex, keyOf('a')), { outcome: 'replayed', id })
        assert.deepEqual(await second.createOnce(rex, keyOf('a', 'g')), { outcome: 'reused' })
        assertListed(await second.list({ limit: 20 }), [{ ...rex, id }])
      })
    },
  },
  {
    name: 'still has the changes of animals when it is opened again',
    needs: ['reopenStore', 'update'],
    async run(first, reopen) {
      const { id } = await first.create(rex)
      await first.update(id, { name: 'Max', status: null })
      await reopen(async (second) => {
        assertListed(await second.list({ limit: 1 }), [{ id, name: 'Max', categoryId: 1n }])
        assertListed(await second.list({ limit: 1, status: 'sold' }), [])
      })
    },
  },
  {
    name: 'still lacks the removed animals when it is opened again, and assigns none of their ids',
    needs: ['reopenStore', 'remove'],
    async run(first, reopen) {
      const before = await createAll(first, animals(4))
      const [kept, ...removed] = before
      assert.ok(kept)
      for (const { id } of removed) assert.equal(await first.remove(id), true)
      await reopen(async (second) => {
        assertListed(await second.list({ limit: 20 }), [kept])
        const { id } = await second.create(rex)
        assert.ok(!before.some((pet) => pet.id === id), `id ${id}`)
      })
    },
  },
]

import assert from 'node:assert/strict'
import type { Capability, FullStore } from './capabilities.ts'
import { animals, assertListed, createAll, readPages } from './cases.ts'
import { idOf, keyOf } from './creating-once.ts'

/** A case that opens its store a second time. Then it does not use the first one any more. */
export interface ReopeningCase {
  readonly name: string
  readonly needs: readonly Capability[]
  /** Calls only the methods of its capabilities. */
  run(first: FullStore, reopen: (work: (second: FullStore) => Promise<void>) => Promise<void>): Promise<void>
}

const rex = { name: 'Rex', categoryId: 1n, status: 'sold' } as const

/** The rules that hold over a restart. */
export const reopeningCases: readonly ReopeningCase[] = [
  {
    name: 'still has every animal when it is opened again, and uses no id twice',
    needs: [],
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
    needs: ['createOnce'],
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
    needs: ['update'],
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
    needs: ['remove'],
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

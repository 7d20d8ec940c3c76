import assert from 'node:assert/strict'
import { petStatuses } from '../../../core/index.ts'
import type { CapabilityCase } from './capabilities.ts'
import { animals, assertListed, createAll, createAtOnce, readPages } from './cases.ts'
import { idOf, keyOf } from './creating-once.ts'

const rex = { name: 'Rex', categoryId: 1n, status: 'sold' } as const

/** The rules of animals that are removed. */
export const removingCases: readonly CapabilityCase[] = [
  {
    name: 'removes an animal from what it finds and lists, once',
    needs: ['remove'],
    async run(store) {
      const [first, second, third] = await createAll(store, [rex, rex, rex])
      assert.ok(first && second && third)
      assert.equal(await store.remove(second.id), true)
      assert.equal(await store.get(second.id), undefined)
      assertListed(await store.list({ limit: 101 }), [first, third])
      assertListed(await store.list({ limit: 101, status: 'sold' }), [first, third])
      assertListed(await store.list({ limit: 1, after: first.id }), [third])
      assertListed(await store.list({ limit: 1, after: second.id }), [third])
      assert.equal(await store.remove(second.id), false)
      assertListed(await store.list({ limit: 101 }), [first, third])
    },
  },
  {
    name: 'removes nothing under an id that no animal has, for any int64',
    needs: ['remove'],
    async run(store) {
      const pet = await store.create(rex)
      for (const other of [0n, -1n, -pet.id, pet.id + 1n, pet.id + 2n ** 53n, 2n ** 63n - 1n, -(2n ** 63n)])
        assert.equal(await store.remove(other), false, `id ${other}`)
      assertListed(await store.list({ limit: 101 }), [pet])
    },
  },
  {
    name: 'shows a removal at once on pages that were read before',
    needs: ['remove'],
    async run(store) {
      let left = await createAll(store, animals(90))
      for (const index of [0, 88, 44, 3, 4, 5, 6, 7, 8, 9, 10, 40]) {
        for (const status of [undefined, ...petStatuses]) {
          const expected = left.filter((pet) => status === undefined || pet.status === status)
          for (const limit of [1, 10, 101])
            assertListed(await readPages(store, { limit, ...(status && { status }) }), expected)
        }
        const removed = left[index % left.length]
        assert.ok(removed && (await store.remove(removed.id)))
        left = left.filter((pet) => pet !== removed)
        assertListed(await readPages(store, { limit: 10 }), left)
      }
    },
  },
  {
    name: 'lists what is left after most animals are removed, and those that are created then',
    needs: ['remove'],
    async run(store) {
      const created = await createAtOnce(store, animals(300))
      const left = created.filter((_, i) => i % 50 === 0)
      await Promise.all(created.map(async (pet) => left.includes(pet) || store.remove(pet.id)))
      assertListed(await readPages(store, { limit: 4 }), left)
      const late = await createAll(store, animals(20))
      assertListed(await readPages(store, { limit: 4 }), [...left, ...late])
    },
  },
  {
    name: 'assigns the id of a removed animal to no other, even if it was the highest or the only one',
    needs: ['remove'],
    async run(store) {
      const used = new Set<bigint>()
      for (let i = 0; i < 5; i++) {
        const [first, second] = await createAll(store, [rex, rex])
        assert.ok(first && second)
        for (const { id } of [first, second]) {
          assert.ok(!used.has(id), `id ${id}`)
          used.add(id)
        }
        await store.remove(second.id)
        await store.remove(first.id)
        assert.deepEqual(await store.list({ limit: 1 }), [])
      }
    },
  },
  {
    name: 'removes an animal for one of the calls that are made at once',
    needs: ['remove'],
    async run(store) {
      const pets = await createAll(store, animals(10))
      for (const { id } of pets) {
        const results = await Promise.all(Array.from({ length: 8 }, async () => store.remove(id)))
        assert.equal(results.filter((removed) => removed).length, 1)
      }
      assert.deepEqual(await store.list({ limit: 101 }), [])
    },
  },
  {
    name: 'does not bring back an animal that is changed and removed at once',
    needs: ['update', 'remove'],
    async run(store) {
      for (const { id } of await createAll(store, animals(20))) {
        const [, removed] = await Promise.all([
          (async () => store.update(id, { name: 'Max', status: 'pending' }))(),
          (async () => store.remove(id))(),
        ])
        assert.equal(removed, true)
        assert.equal(await store.get(id), undefined)
        assert.equal(await store.update(id, { name: 'Max' }), undefined)
      }
      assert.deepEqual(await store.list({ limit: 101 }), [])
      assert.deepEqual(await store.list({ limit: 101, status: 'pending' }), [])
    },
  },
  {
    name: 'still has the key of a creation whose animal has been changed or removed',
    needs: ['createOnce', 'update', 'remove'],
    async run(store) {
      const id = idOf(await store.createOnce(rex, keyOf('a')))
      await store.update(id, { name: 'Max', status: null })
      assert.deepEqual(await store.createOnce(rex, keyOf('a')), { outcome: 'replayed', id })
      await store.remove(id)
      assert.deepEqual(await store.createOnce(rex, keyOf('a')), { outcome: 'replayed', id })
      assert.deepEqual(await store.list({ limit: 101 }), [])
    },
  },
]

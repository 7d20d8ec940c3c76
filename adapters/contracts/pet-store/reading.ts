import assert from 'node:assert/strict'
import { petStatuses } from '../../../core/index.ts'
import { animals, assertListed, byId, createAll, readPages, type StoreCase } from './cases.ts'

const int64Max = 2n ** 63n - 1n
const int64Min = -(2n ** 63n)

export const readingCases: readonly StoreCase[] = [
  {
    name: 'lists nothing and finds nothing while it is empty',
    async run(store) {
      assert.deepEqual(await store.list({ limit: 20 }), [])
      assert.deepEqual(await store.list({ limit: 101, status: 'sold', after: 0n }), [])
      assert.equal(await store.get(1n), undefined)
    },
  },
  {
    name: 'finds nothing under an id that no animal has, for any int64',
    async run(store) {
      const { id } = await store.create({ name: 'Rex', categoryId: 1n })
      for (const other of [0n, -1n, -id, id + 1n, 2n ** 53n, id + 2n ** 53n, int64Max, int64Min])
        assert.equal(await store.get(other), undefined, `id ${other}`)
    },
  },
  {
    name: 'lists by ascending id, and no more than the limit',
    async run(store) {
      const created = await createAll(store, animals(120))
      for (const limit of [1, 2, 20, 100, 101])
        assertListed(await store.list({ limit }), byId(created).slice(0, limit))
    },
  },
  {
    name: 'lists only animals of the requested status, and none without a status',
    async run(store) {
      const created = await createAll(store, animals(80))
      for (const status of petStatuses) {
        const expected = created.filter((pet) => pet.status === status)
        assertListed(await store.list({ limit: 101, status }), expected)
      }
    },
  },
  {
    name: 'lists only ids greater than `after`, for any int64',
    async run(store) {
      const created = await createAll(store, animals(12))
      const afters = [...created.map(({ id }) => id), 0n, -1n, int64Min, 2n ** 53n, int64Max]
      for (const after of afters) {
        const expected = created.filter(({ id }) => id > after)
        assertListed(await store.list({ limit: 101, after }), expected, `after ${after}`)
      }
    },
  },
  {
    name: 'lists every animal exactly once over all pages, with and without a filter',
    async run(store) {
      const created = await createAll(store, animals(45))
      const sold = created.filter(({ status }) => status === 'sold')
      for (const limit of [1, 7, 45, 101]) {
        assertListed(await readPages(store, { limit }), created)
        assertListed(await readPages(store, { limit, status: 'sold' }), sold)
      }
    },
  },
]

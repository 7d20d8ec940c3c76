import assert from 'node:assert/strict'
import { type Pet, type PetQuery, petStatuses } from '../../../core/index.ts'
import { animals, assertListed, createAtOnce, fields, readPages, type StoreCase } from './cases.ts'

const pages: readonly PetQuery[] = [{ limit: 10 }, { limit: 10, status: 'sold' }]

/** The rules that hold while many requests create and read at once. */
export const atOnceCases: readonly StoreCase[] = [
  {
    name: 'stores all animals that are created at once, each with a different id',
    async run(store) {
      const newPets = animals(200)
      const created = await createAtOnce(store, newPets)
      for (const [i, { name, categoryId, status }] of created.entries())
        assert.deepEqual({ name, categoryId, ...(status && { status }) }, newPets[i])
      assert.equal(new Set(created.map(({ id }) => id)).size, newPets.length)
      assertListed(await readPages(store, { limit: 101 }), created)
    },
  },
  {
    name: 'shows an animal as soon as its creation has resolved, while others are created',
    async run(store) {
      await Promise.all(
        animals(60).map(async (pet) => {
          const created = await store.create(pet)
          const found = await store.get(created.id)
          assert.deepEqual(found && fields(found), fields(created))
          assert.equal((await store.list({ limit: 1, after: created.id - 1n }))[0]?.id, created.id)
        }),
      )
    },
  },
  ...pages.map(
    (query): StoreCase => ({
      name: `lists every earlier animal exactly once, in order, while others are created, by ${query.status ?? 'any status'}`,
      async run(store) {
        const before = await createAtOnce(store, animals(60))
        const creations: Promise<Pet[]>[] = []
        const listed = await readPages(store, query, () => {
          if (creations.length < 5) creations.push(createAtOnce(store, animals(8)))
        })
        await Promise.all(creations)
        const ids = listed.map(({ id }) => id)
        for (const { id, status } of before)
          assert.equal(ids.includes(id), query.status === undefined || query.status === status, `id ${id}`)
      },
    }),
  ),
]

/** Creates `count` animals; one status is rare. */
export function scaleCase(count: number): StoreCase {
  return {
    name: `pages through ${count} animals by status, the rare one too`,
    skipped: count === 0 && 'options.scale is 0',
    async run(store) {
      const created: Pet[] = []
      for (let i = 0; i < count; i += 500) {
        const few = animals(Math.min(500, count - i))
        created.push(
          ...(await createAtOnce(
            store,
            few.map((pet, j) => ({ ...pet, status: statusAt(i + j) })),
          )),
        )
      }
      for (const status of petStatuses) {
        const expected = created.filter((pet) => pet.status === status)
        assertListed(await readPages(store, { limit: 101, status }), expected)
      }
      assertListed(await readPages(store, { limit: 101 }), created)
    },
  }
}

function statusAt(i: number): (typeof petStatuses)[number] {
  if (i % 500 === 499) return 'sold'
  return i % 2 === 0 ? 'available' : 'pending'
}

import assert from 'node:assert/strict'
import {
  type CreationKey,
  type NewPet,
  type Pet,
  type PetStatus,
  type PetStore,
  petStatuses,
} from '../../../core/index.ts'
import { animals, assertListed, createAll, fields, keyOf, readPages, rex, type StoreCase } from './cases.ts'

/** The rules that hold while many requests create, change and read at once, and when one of them fails. */
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
          assert.deepEqual(fields(await store.get(created.id)), fields(created))
          assert.equal((await store.list({ limit: 1, after: created.id - 1n }))[0]?.id, created.id)
        }),
      )
    },
  },
  {
    name: 'shows an animal on every page that is asked for once its creation has resolved',
    needs: ['page'],
    async run(store) {
      await Promise.all(
        [1, 2, 3, 4].map(async () => {
          for (const pet of animals(15)) {
            const { id } = await store.create(pet)
            const pages = [store.page({ limit: 1, after: id - 1n }), store.page({ limit: 100 })]
            for (const { json } of await Promise.all(pages)) assert.ok(json.includes(`{"id":${id},`), json)
          }
        }),
      )
    },
  },
  {
    name: 'lists every earlier animal exactly once, in order, while others are created, of any status and of one',
    async run(store) {
      const before = await createAtOnce(store, animals(60))
      for (const query of [{ limit: 10 }, { limit: 10, status: 'sold' }] as const) {
        const creations: Promise<Pet[]>[] = []
        const listed = await readPages(store, query, () => {
          if (creations.length < 5) creations.push(createAtOnce(store, animals(8)))
        })
        await Promise.all(creations)
        const ids = listed.map(({ id }) => id)
        for (const { id, status } of before)
          assert.equal(ids.includes(id), !('status' in query) || query.status === status, `id ${id}`)
      }
    },
  },
  {
    name: 'creates one animal for each of the keys that 200 calls use at once, whatever their fingerprints',
    needs: ['createOnce'],
    async run(store) {
      const tokens = ['a', 'b', 'c', 'd', 'e']
      const calls = tokens.flatMap((token) =>
        ['f', 'g'].flatMap((print) => Array<CreationKey>(20).fill(keyOf(token, print))),
      )
      const results = await Promise.all(calls.map(async (key) => store.createOnce(rex, key)))
      const count = (wanted: string) => results.filter(({ outcome }) => outcome === wanted).length
      assert.deepEqual([count('created'), count('replayed'), count('reused')], [5, 95, 100])
      assert.equal((await store.list({ limit: 101 })).length, tokens.length)
    },
  },
  {
    name: 'stores no key of a creation that fails',
    needs: ['createOnce'],
    async run(store) {
      const failing: NewPet = {
        get name(): string {
          throw new Error('this animal cannot be read')
        },
        categoryId: 1n,
      }
      await assert.rejects(async () => store.createOnce(failing, keyOf('a')))
      assert.equal(await store.findCreated(keyOf('a')), undefined)
      const unknown = { ...rex, status: 'lost' as PetStatus } // a database can have a constraint, which only then fails
      const [{ status }] = await Promise.allSettled([(async () => store.createOnce(unknown, keyOf('b')))()])
      assert.equal((await store.findCreated(keyOf('b'))) !== undefined, status === 'fulfilled')
      assert.equal((await store.createOnce(rex, keyOf('a'))).outcome, 'created')
    },
  },
  {
    name: 'holds the changes of different fields of an animal that are made at once',
    needs: ['update'],
    async run(store) {
      for (let round = 0; round < 20; round++) {
        const { id } = await store.create({ name: 'Rex', categoryId: 1n })
        const changes = [{ name: 'Max' }, { categoryId: 2n }, { status: 'sold' } as const]
        await Promise.all(changes.map(async (change) => store.update(id, change)))
        assert.deepEqual(fields(await store.get(id)), { id, name: 'Max', categoryId: 2n, status: 'sold' })
      }
    },
  },
  {
    name: 'removes an animal for one of the calls that are made at once',
    needs: ['remove'],
    async run(store) {
      for (const { id } of await createAll(store, animals(10))) {
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
]

/** Creates `count` animals; one status is rare. */
export function scaleCase(count: number): StoreCase {
  return {
    name: `pages through ${count} animals by status, the rare one too`,
    needs: ['scale'],
    async run(store) {
      const created: Pet[] = []
      for (let i = 0; i < count; i += 500) {
        const few = animals(Math.min(500, count - i))
        const statusOf = (j: number) => (j === 499 ? 'sold' : j % 2 === 0 ? 'available' : 'pending')
        const pets = few.map((pet, j): NewPet => ({ ...pet, status: statusOf(j) }))
        created.push(...(await createAtOnce(store, pets)))
      }
      for (const status of petStatuses) {
        const expected = created.filter((pet) => pet.status === status)
        assertListed(await readPages(store, { limit: 101, status }), expected)
      }
      assertListed(await readPages(store, { limit: 101 }), created)
    },
  }
}

function createAtOnce(store: PetStore, pets: readonly NewPet[]): Promise<Pet[]> {
  return Promise.all(pets.map(async (pet) => store.create(pet)))
}

import assert from 'node:assert/strict'
import type { Pet, PetChanges } from '../../../core/index.ts'
import { names } from '../names.ts'
import type { CapabilityCase } from './capabilities.ts'
import { animals, assertListed, createAll, fields, readPages } from './cases.ts'

const rex = { name: 'Rex', categoryId: 1n, status: 'sold' } as const

const changes: readonly PetChanges[] = [
  {},
  { name: 'Max' },
  { name: '' },
  { categoryId: 2n ** 53n + 1n },
  { categoryId: 0n },
  { categoryId: 2n ** 63n - 1n },
  { categoryId: -(2n ** 63n) },
  { status: 'pending' },
  { status: 'sold' },
  { status: null },
  { name: 'Max', status: null },
  { name: 'Max', categoryId: -1n, status: 'available' },
]

/** Returns an animal with changes. */
export function changed(pet: Pet, { status, ...others }: PetChanges): Pet {
  const { status: before, ...rest } = { ...pet, ...others }
  const after = status === undefined ? before : status
  return after ? { ...rest, status: after } : rest
}

/** The rules of animals that change. */
export const updatingCases: readonly CapabilityCase[] = [
  {
    name: 'changes the fields that are given, leaves the others, and returns the animal',
    needs: ['update'],
    async run(store) {
      for (const before of [rex, { name: 'Rex', categoryId: 1n }])
        for (const change of changes) {
          const pet = await store.create(before)
          const other = await store.create(before)
          const expected = fields(changed({ ...before, id: pet.id }, change))
          const returned = await store.update(pet.id, change)
          assert.deepEqual(returned && fields(returned), expected)
          const found = await store.get(pet.id)
          assert.deepEqual(found && fields(found), expected)
          assert.deepEqual((await store.list({ limit: 1, after: pet.id - 1n })).map(fields), [expected])
          const untouched = await store.get(other.id)
          assert.deepEqual(untouched && fields(untouched), fields({ ...before, id: other.id }))
        }
    },
  },
  {
    name: 'changes a name to each kind of name exactly',
    needs: ['update'],
    async run(store) {
      const { id } = await store.create(rex)
      for (const [kind, name] of Object.entries(names)) {
        assert.equal((await store.update(id, { name }))?.name, name, `a name ${kind}`)
        assert.equal((await store.get(id))?.name, name, `a name ${kind}`)
      }
    },
  },
  {
    name: 'changes nothing under an id that no animal has, for any int64',
    needs: ['update'],
    async run(store) {
      const pet = await store.create(rex)
      for (const other of [0n, -1n, -pet.id, pet.id + 1n, pet.id + 2n ** 53n, 2n ** 63n - 1n, -(2n ** 63n)])
        assert.equal(await store.update(other, { name: 'Max' }), undefined, `id ${other}`)
      assertListed(await store.list({ limit: 101 }), [pet])
      assert.equal((await store.create(rex)).id > pet.id, true)
    },
  },
  {
    name: 'shows changes at once on pages that were read before, and leaves the others as they are',
    needs: ['update'],
    async run(store) {
      const pets = new Map((await createAll(store, animals(90))).map((pet) => [pet.id, pet]))
      const ids = [...pets.keys()]
      const assertPages = async () => {
        const all = [...pets.values()]
        for (const limit of [1, 7, 30, 101]) assertListed(await readPages(store, { limit }), all)
        for (const status of ['available', 'pending', 'sold'] as const) {
          const some = all.filter((pet) => pet.status === status)
          for (const limit of [1, 7, 30]) assertListed(await readPages(store, { limit, status }), some)
        }
      }
      await assertPages()
      for (const [i, change] of changes.entries()) {
        const id = ids[(i * 37) % ids.length] ?? 0n
        const pet = await store.update(id, change)
        assert.ok(pet, `id ${id}`)
        pets.set(id, changed(pets.get(id) ?? pet, change))
        await assertPages()
      }
    },
  },
  {
    name: 'shows a change of status in the list of each status, in its place',
    needs: ['update'],
    async run(store) {
      const created = await createAll(store, Array(60).fill(rex))
      const listed = async (status: 'sold' | 'pending') =>
        (await readPages(store, { limit: 10, status })).map(({ id }) => id)
      const moved = new Set<bigint>()
      for (const i of [30, 0, 59, 15, 31, 29, 45]) {
        const { id } = created[i] ?? { id: 0n }
        await store.update(id, { status: 'pending' })
        moved.add(id)
        const ids = created.map((pet) => pet.id)
        assert.deepEqual(
          await listed('sold'),
          ids.filter((one) => !moved.has(one)),
        )
        assert.deepEqual(
          await listed('pending'),
          ids.filter((one) => moved.has(one)),
        )
      }
    },
  },
  {
    name: 'holds the changes of different fields of an animal that are made at once',
    needs: ['update'],
    async run(store) {
      for (let round = 0; round < 20; round++) {
        const { id } = await store.create({ name: 'Rex', categoryId: 1n })
        await Promise.all(
          [{ name: 'Max' }, { categoryId: 2n }, { status: 'sold' } as const].map(async (change) =>
            store.update(id, change),
          ),
        )
        const found = await store.get(id)
        assert.deepEqual(found && fields(found), { id, name: 'Max', categoryId: 2n, status: 'sold' })
      }
    },
  },
]

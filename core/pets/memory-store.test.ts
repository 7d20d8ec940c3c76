import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { holds } from '../testing/holds.ts'
import { createMemoryStore } from './memory-store.ts'
import { type Pet, petStatuses } from './pet.ts'

const statuses = [...petStatuses, undefined]
const int64Ends = [2n ** 63n - 1n, -(2n ** 63n)]

it('the store in memory agrees with a list after any additions, changes and removals', () => {
  const step = fc.record({
    kind: fc.constantFrom('add', 'change', 'remove', 'thin'),
    id: fc.integer({ min: 0, max: 700 }),
    count: fc.integer({ min: 1, max: 200 }),
    status: fc.constantFrom(...statuses),
  })
  holds(
    fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
      const store = createMemoryStore()
      const pets = new Map<bigint, Pet>()
      for (const { kind, id, count, status } of steps) {
        for (let i = 0; i < count; i++) {
          const pet = { id: BigInt(id + i), name: `${kind} ${i}`, categoryId: 2n, ...(status && { status }) }
          const isThere = pets.has(pet.id)
          if (kind === 'add') {
            const added = store.create(pet)
            pets.set(added.id, added)
          } else if (kind === 'change') {
            const changed = store.update(pet.id, { ...pet, status: status ?? null })
            assert.deepEqual(changed, isThere ? pet : undefined)
            if (isThere) pets.set(pet.id, pet)
          } else if (kind === 'remove' || pet.id % 100n !== 0n) {
            assert.equal(store.remove(pet.id), isThere)
            pets.delete(pet.id)
          }
        }
        for (const status of statuses)
          for (const [limit, after] of [
            ...[1, 101].map((limit) => [limit, BigInt(id)] as const),
            ...int64Ends.map((after) => [20, after] as const),
            [3_000, 0n] as const,
          ]) {
            const matching = [...pets.values()].filter(
              (pet) => pet.id > after && (!status || pet.status === status),
            )
            const query = { limit, after, ...(status && { status }) }
            assert.deepEqual(store.list(query), matching.slice(0, limit))
          }
        for (const one of [BigInt(id), 0n, -1n, ...int64Ends]) assert.deepEqual(store.get(one), pets.get(one))
      }
    }),
    60,
  )
})

it('changes and removals show on pages that the store in memory returned before', () => {
  const store = createMemoryStore()
  for (let i = 0; i < 5; i++) store.create({ name: 'Rex', categoryId: 1n })
  const first = () => JSON.parse(store.page({ limit: 2 }).json).map(({ name }: { name: string }) => name)
  assert.deepEqual(first(), ['Rex', 'Rex'])
  store.update(2n, { name: 'Mia' })
  assert.deepEqual(first(), ['Rex', 'Mia'])
  store.remove(1n)
  assert.deepEqual(first(), ['Mia', 'Rex'])
})

it('an option is rejected: the store in memory has none', () => {
  const message = 'options.maxPets is no option: there are none'
  assert.throws(() => createMemoryStore({ maxPets: 5 }), { name: 'TypeError', message })
})

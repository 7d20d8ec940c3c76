import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { holds } from '../testing/holds.ts'
import { createMemoryStore } from './memory-store.ts'
import { type Pet, type PetStatus, petStatuses } from './pet.ts'
import { createPetTable, type PetTable } from './pet-table.ts'

const statuses: readonly (PetStatus | undefined)[] = [...petStatuses, undefined]

function add(table: PetTable, status?: PetStatus): Pet {
  return table.add({ name: 'Rex', categoryId: 1n, ...(status && { status }) })
}

describe('a table of animals', () => {
  it('agrees with a list after any additions, changes and removals', () => {
    const status = fc.constantFrom(...statuses)
    const step = fc.record({
      kind: fc.constantFrom('add', 'change', 'remove', 'thin'),
      id: fc.integer({ min: 0, max: 700 }),
      count: fc.integer({ min: 1, max: 200 }),
      status,
    })
    holds(
      fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
        const table = createPetTable()
        const pets = new Map<bigint, Pet>()
        const replace = (id: bigint, pet: Pet | undefined) => {
          const old = pets.get(id)
          if (!old) return
          table.replace(old, pet)
          if (pet) pets.set(id, pet)
          else pets.delete(id)
        }
        for (const { kind, id, count, status } of steps) {
          for (let i = 0; i < count; i++) {
            const one = BigInt(id + i)
            if (kind === 'add') {
              const pet = add(table, status)
              pets.set(pet.id, pet)
            } else if (kind === 'change')
              replace(one, { id: one, name: `changed ${i}`, categoryId: 2n, ...(status && { status }) })
            else if (kind === 'remove') replace(one, undefined)
            else if (one % 100n !== 0n) replace(one, undefined)
          }
          for (const wanted of statuses)
            for (const [limit, after] of [
              [1, BigInt(id)],
              [101, BigInt(id)],
              [20, -(2n ** 63n)],
              [20, 2n ** 63n - 1n],
              [3_000, 0n],
            ] as const) {
              const expected = [...pets.values()]
                .filter((pet) => pet.id > after && (!wanted || pet.status === wanted))
                .slice(0, limit)
              assert.deepEqual(table.list({ limit, after, ...(wanted && { status: wanted }) }), expected)
            }
          for (const one of [BigInt(id), 0n, -1n, 2n ** 63n - 1n, -(2n ** 63n)])
            assert.deepEqual(table.get(one), pets.get(one))
        }
      }),
      60,
    )
  })
})

describe('the store in memory', () => {
  it('shows changes and removals on pages that were returned before', () => {
    const store = createMemoryStore()
    for (let i = 0; i < 5; i++) store.create({ name: 'Rex', categoryId: 1n })
    const first = () => JSON.parse(store.page({ limit: 2 }).json).map(({ name }: { name: string }) => name)
    assert.deepEqual(first(), ['Rex', 'Rex'])
    store.update(2n, { name: 'Mia' })
    assert.deepEqual(first(), ['Rex', 'Mia'])
    store.remove(1n)
    assert.deepEqual(first(), ['Mia', 'Rex'])
  })
})

it('an option is rejected: the store in memory has none', () => {
  assert.throws(() => createMemoryStore({ maxPets: 5 }), {
    name: 'TypeError',
    message: 'options.maxPets is no option: there are none',
  })
})

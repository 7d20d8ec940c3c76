import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { holds } from '../testing/holds.ts'
import { type Pet, type PetStatus, petStatuses } from './pet.ts'
import { createPetTable, frozenPet, type PetTable } from './pet-table.ts'

const statuses: readonly (PetStatus | undefined)[] = [...petStatuses, undefined]

function add(table: PetTable, status?: PetStatus): Pet {
  return table.add({ name: 'Rex', categoryId: 1n, ...(status && { status }) })
}

describe('a table of animals', () => {
  it('agrees with a list after any additions, changes and removals, over many blocks', () => {
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
          const before = pets.get(id)
          if (!before) return
          table.replace(before, pet)
          if (pet) pets.set(id, pet)
          else pets.delete(id)
        }
        for (const { kind, id, count, status } of steps) {
          for (let i = 0; i < count; i++) {
            const one = BigInt(id + i)
            if (kind === 'add') {
              const pet = add(table, status)
              pets.set(pet.id, pet)
            } else if (kind === 'change') replace(one, frozenPet(one, `changed ${i}`, 2n, status))
            else if (kind === 'remove') replace(one, undefined)
            else if (one % 100n !== 0n) replace(one, undefined)
          }
          for (const wanted of statuses)
            for (const limit of [1, 20, 101, 3_000]) {
              const after = BigInt(id)
              const expected = [...pets.values()]
                .filter((pet) => pet.id > after && (!wanted || pet.status === wanted))
                .slice(0, limit)
              assert.deepEqual(table.page(wanted, after, limit), expected)
              assert.deepEqual(table.page(wanted, after, limit), expected)
            }
          for (const one of [BigInt(id), 0n, -1n, 2n ** 63n - 1n]) assert.equal(table.get(one), pets.get(one))
        }
      }),
      60,
    )
  })

  it('returns the same frozen page until one of its list changes', () => {
    const table = createPetTable()
    for (let i = 0; i < 80; i++) add(table, i % 2 ? 'sold' : 'pending')
    const [all, sold, pending] = statusPages(table)
    assert.ok(Object.isFrozen(all))
    add(table, 'sold')
    assert.deepEqual(same(statusPages(table), [all, sold, pending]), [true, true, true])
    const last = table.get(80n) as Pet // one of the animals above
    table.replace(last, frozenPet(last.id, 'Mia', 1n, 'sold'))
    assert.deepEqual(same(statusPages(table), [all, sold, pending]), [false, false, true])
  })

  it('begins with the first animal after any smaller id, and ends after any greater one', () => {
    const table = createPetTable()
    const pet = add(table)
    for (const after of [-(2n ** 63n), -1n, 0n]) assert.deepEqual(table.page(undefined, after, 5), [pet])
    for (const after of [1n, 2n ** 63n - 1n]) assert.deepEqual(table.page(undefined, after, 5), [])
  })
})

function statusPages(table: PetTable): readonly (readonly Pet[])[] {
  return [undefined, 'sold' as const, 'pending' as const].map((status) => table.page(status, 0n, 20))
}

function same(pages: readonly unknown[], before: readonly unknown[]): readonly boolean[] {
  return pages.map((page, i) => page === before[i])
}

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { assertProperty } from '../testing/assert-property.ts'
import { int64Max, int64Min } from '../testing/numbers.ts'
import { createMemoryStore } from './memory-store.ts'
import { type Pet, petStatuses, petToJson } from './pet.ts'

const statuses = [...petStatuses, undefined]
const int64Ends = [int64Max, int64Min]

describe('the memory store', () => {
  it('returns the same animals as a Map after any changes', () => {
    const step = fc.record({
      kind: fc.constantFrom('add', 'change', 'remove', 'thin'),
      id: fc.integer({ min: 0, max: 700 }),
      count: fc.integer({ min: 1, max: 200 }),
      status: fc.constantFrom(...statuses),
    })
    assertProperty(
      fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
        const store = createMemoryStore()
        const pets = new Map<bigint, Pet>()
        for (const { kind, id, count, status } of steps) {
          for (let i = 0; i < count; i++) {
            const pet = {
              id: BigInt(id + i),
              name: `${kind} ž ${i}`,
              categoryId: 2n,
              ...(status && { status }),
            }
            const isThere = pets.has(pet.id)
            if (kind === 'add') {
              const addedPet = store.create(pet)
              pets.set(addedPet.id, addedPet)
            } else if (kind === 'change') {
              const changedPet = store.update(pet.id, { ...pet, status: status ?? null })
              assert.deepEqual(changedPet, isThere ? pet : undefined)
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
              const matchingPets = [...pets.values()].filter(
                (pet) => pet.id > after && (!status || pet.status === status),
              )
              const query = { limit, ...(after !== 0n && { after }), ...(status && { status }) }
              const listedPets = matchingPets.slice(0, limit)
              assert.deepEqual(store.list(query), listedPets)
              const { json, bytes, next } = store.page(query)
              assert.equal(json, `[${listedPets.map(petToJson)}]`)
              assert.equal(bytes, after === 0n ? Buffer.byteLength(json) : undefined)
              assert.equal(next, matchingPets.length > limit ? listedPets.at(-1)?.id : undefined)
            }
          for (const one of [BigInt(id), 0n, -1n, ...int64Ends]) {
            const foundPet = store.get(one)
            assert.deepEqual([foundPet, Object.isFrozen(foundPet)], [pets.get(one), true])
          }
        }
      }),
      60,
    )
  })

  it('throws for an unknown option', () => {
    const message = 'unknown option "options.maxPets"; expected none'
    assert.throws(() => createMemoryStore({ maxPets: 5 }), { name: 'TypeError', message })
  })
})

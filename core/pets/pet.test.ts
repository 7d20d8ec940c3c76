import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { holds } from '../testing/holds.ts'
import { int64Max, int64Min } from '../testing/int64.ts'
import { isPetStatus, type Pet, petStatuses, petToJson } from './pet.ts'

const anyPet: fc.Arbitrary<Pet> = fc.record(
  {
    id: fc.bigInt({ min: int64Min, max: int64Max }),
    name: fc.string({ unit: fc.constantFrom(...'aé猫"\\{}:,\n\u2028', '🐈', '\ud83d', '"id":5') }),
    categoryId: fc.bigInt({ min: int64Min, max: int64Max }),
    status: fc.constantFrom(...petStatuses),
  },
  { requiredKeys: ['id', 'name', 'categoryId'], noNullPrototype: true },
)

/** Parses JSON with its integers as text, since a double cannot hold them. */
const parsed = (text: string) => JSON.parse(text.replace(/"(id|categoryId)":(-?\d+)/g, '"$1":"$2"'))

describe('an animal as JSON', () => {
  it('has exactly the members of the animal, with every digit of the integers', () => {
    holds(
      fc.property(anyPet, (pet) => {
        const expected = { ...pet, id: `${pet.id}`, categoryId: `${pet.categoryId}` }
        assert.deepEqual(parsed(petToJson(pet)), expected)
      }),
    )
  })

  it('has no status if the animal has none, or null as databases return it', () => {
    const pet: Pet = { id: 1n, name: 'R"x', categoryId: -2n }
    const stored = { ...pet, status: null } as unknown as Pet // what a store without types may return
    for (const one of [pet, stored]) assert.equal(petToJson(one), '{"id":1,"name":"R\\"x","categoryId":-2}')
  })
})

it('a status is one of three words, as they are spelled', () => {
  for (const status of petStatuses) assert.ok(isPetStatus(status))
  for (const other of ['Available', 'lost', '', undefined, null, 0, ['sold'], 'toString'])
    assert.ok(!isPetStatus(other))
})

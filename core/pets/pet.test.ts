import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { int64Max, int64Min } from '../testing/numbers.ts'
import { type Pet, petToJson } from './pet.ts'

describe('petToJson', () => {
  it('writes int64 numbers with all digits and escapes names', () => {
    for (const [id, categoryId] of [
      [int64Max, int64Min],
      [2n ** 53n + 1n, 0n],
    ] as const)
      for (const name of ['', 'aé猫🐈', '"id":5,"\\{}', '\n\u2028\0', '\ud83d']) {
        const members = `"id":${id},"name":${JSON.stringify(name)},"categoryId":${categoryId},"status":"sold"`
        assert.equal(petToJson({ id, name, categoryId, status: 'sold' }), `{${members}}`)
      }
  })

  it('omits a missing status', () => {
    const pet: Pet = { id: 1n, name: 'R"x', categoryId: -2n }
    const storedPet = { ...pet, status: null } as unknown as Pet // a database may return null
    for (const one of [pet, storedPet])
      assert.equal(petToJson(one), '{"id":1,"name":"R\\"x","categoryId":-2}')
  })
})

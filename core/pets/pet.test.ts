import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { int64Max, int64Min } from '../testing/numbers.ts'
import { type Pet, petToJson } from './pet.ts'

describe('an animal as JSON', () => {
  it('has every digit of its integers, and any name', () => {
    for (const [id, categoryId] of [
      [int64Max, int64Min],
      [2n ** 53n + 1n, 0n],
    ] as const)
      for (const name of ['', 'aé猫🐈', '"id":5,"\\{}', '\n\u2028\0', '\ud83d']) {
        const members = `"id":${id},"name":${JSON.stringify(name)},"categoryId":${categoryId},"status":"sold"`
        assert.equal(petToJson({ id, name, categoryId, status: 'sold' }), `{${members}}`)
      }
  })

  it('has no status if it is absent or null', () => {
    const pet: Pet = { id: 1n, name: 'R"x', categoryId: -2n }
    const stored = { ...pet, status: null } as unknown as Pet // what a store without types may return
    for (const one of [pet, stored]) assert.equal(petToJson(one), '{"id":1,"name":"R\\"x","categoryId":-2}')
  })
})

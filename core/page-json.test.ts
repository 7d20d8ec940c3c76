import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { pageBody } from './page-json.ts'
import { type Pet, petsToJson } from './pet.ts'

const pets = (count: number, name = 'Rex 🐈'): readonly Pet[] =>
  Array.from({ length: count }, (_, i) => ({ id: BigInt(i + 1), name, categoryId: 1n }))

describe('the body of a page', () => {
  it('is the JSON of the requested number of animals', () => {
    for (const page of [pets(3), Object.freeze(pets(3))]) {
      for (const limit of [1, 2, 3, 4, 2])
        assert.equal(pageBody(page, limit), petsToJson(page.slice(0, limit)))
    }
  })

  it('is cached for a frozen page, and made anew for any other', () => {
    const frozen = Object.freeze(pets(3))
    assert.equal(pageBody(frozen, 2), pageBody(frozen, 2))
    const open = [...pets(1)]
    pageBody(open, 5)
    open.push(...pets(1))
    assert.equal(pageBody(open, 5), petsToJson(open))
  })

  it('is not cached if it is long', () => {
    const long = Object.freeze(pets(2, 'x'.repeat(40_000)))
    assert.equal(pageBody(long, 2), petsToJson(long))
  })
})

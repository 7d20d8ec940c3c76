import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createPageCache, pageOf } from './page-cache.ts'
import { type Pet, petsToJson } from './pet.ts'

const pets = (count: number): Pet[] =>
  Array.from({ length: count }, (_, i) => ({ id: BigInt(i + 1), name: `${i}`, categoryId: 1n }))

describe('cached pages', () => {
  it('are read once, and frozen, if they are full', () => {
    const { page } = createPageCache()
    const first = page('a', 2, () => pets(2))
    assert.equal(
      page('a', 2, () => assert.fail('read again')),
      first,
    )
    assert.ok(Object.isFrozen(first))
  })

  it('are read again and again until they are full', () => {
    const { page } = createPageCache()
    assert.ok(!Object.isFrozen(page('a', 2, () => pets(1))))
    assert.equal(page('a', 2, () => pets(2)).length, 2)
  })

  it('are read again after the cache is cleared', () => {
    const { page, clear } = createPageCache()
    const first = page('a', 1, () => pets(1))
    clear()
    assert.notEqual(
      page('a', 1, () => pets(1)),
      first,
    )
  })

  it('are at most 64', () => {
    const { page } = createPageCache()
    const first = page(0, 1, () => pets(1))
    for (let i = 1; i < 64; i++) page(i, 1, () => pets(1))
    assert.equal(
      page(0, 1, () => pets(1)),
      first,
    )
    page(64, 1, () => pets(1))
    assert.notEqual(
      page(0, 1, () => pets(1)),
      first,
    )
  })
})

/** A page of one animal, and how often its name was read: once each time that its JSON is made. */
function watchedPage(name = 'Rex') {
  let reads = 0
  const pet = {
    id: 1n,
    categoryId: 1n,
    get name() {
      reads++
      return name
    },
  }
  return { page: [pet], reads: () => reads }
}

describe('the body of a page', () => {
  it('is the JSON of the requested number of animals', () => {
    for (const page of [pets(3), Object.freeze(pets(3))]) {
      for (const limit of [1, 2, 3, 4, 2])
        assert.equal(pageOf(page, limit).json, petsToJson(page.slice(0, limit)))
    }
  })

  it('names the last animal if the list has one more', () => {
    assert.equal(pageOf(pets(3), 2).next, 2n)
    for (const limit of [3, 4]) assert.equal(pageOf(pets(3), limit).next, undefined)
  })

  it('is made once for a limit if the page is frozen', () => {
    const { page, reads } = watchedPage()
    Object.freeze(page)
    for (let i = 0; i < 3; i++) pageOf(page, 2)
    assert.equal(reads(), 1)
    pageOf(page, 1)
    assert.equal(reads(), 2)
  })

  it('is made each time if the page is not frozen', () => {
    const { page, reads } = watchedPage()
    for (let i = 0; i < 3; i++) pageOf(page, 2)
    assert.equal(reads(), 3)
  })

  it('is not cached if it is long', () => {
    const { page, reads } = watchedPage('x'.repeat(70_000))
    Object.freeze(page)
    for (let i = 0; i < 3; i++) pageOf(page, 2)
    assert.equal(reads(), 3)
  })
})

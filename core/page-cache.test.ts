import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createPageCache } from './page-cache.ts'
import type { Pet } from './pet.ts'

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

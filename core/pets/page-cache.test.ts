import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createPageCache, pageOf } from './page-cache.ts'
import { type Pet, petsToJson } from './pet.ts'
import type { PetQuery } from './store.ts'

const pets = (count: number, name = 'Rex'): Pet[] =>
  Array.from({ length: count }, (_, i) => ({ id: BigInt(i + 1), name, categoryId: 1n }))

/** A cache over a list of as many animals, and the queries that it was called with. */
function cacheOf(count: number, name?: string) {
  const cache = createPageCache()
  const calls: PetQuery[] = []
  const list = (query: PetQuery) => {
    calls.push(query)
    return pets(count, name).slice(0, query.limit)
  }
  return { cache, calls, read: (query: PetQuery, growth = 0) => cache.page(query, list, growth) }
}

describe('a page', () => {
  it('is the JSON of the requested number of animals', () => {
    for (const limit of [1, 2, 3, 4])
      assert.equal(pageOf(pets(3), limit).json, petsToJson(pets(3).slice(0, limit)))
  })

  it('names its last animal if the list has one more', () => {
    assert.equal(pageOf(pets(3), 2).next, 2n)
    for (const limit of [3, 4]) assert.equal(pageOf(pets(3), limit).next, undefined)
  })
})

describe('cached pages', () => {
  it('are made once if more animals follow, with the length in UTF-8', () => {
    const { calls, read } = cacheOf(3, 'Žofie')
    const first = read({ limit: 2, status: 'sold', after: 0n })
    assert.equal(read({ limit: 2, status: 'sold', after: 0n }), first)
    assert.deepEqual(calls, [{ limit: 3, status: 'sold', after: 0n }])
    assert.equal(first.bytes, Buffer.byteLength(first.json))
  })

  it('are made for each limit, status and id', () => {
    const { calls, read } = cacheOf(9)
    for (const query of [
      { limit: 2 },
      { limit: 3 },
      { limit: 2, status: 'sold' },
      { limit: 2, after: 1n },
    ] as const)
      read(query)
    assert.equal(calls.length, 4)
  })

  it('are made again after the list has grown if no animal followed', () => {
    const { calls, read } = cacheOf(2)
    for (const growth of [0, 0, 1, 1]) read({ limit: 2 }, growth)
    assert.equal(calls.length, 2)
  })

  it('are kept as the list grows if more animals follow', () => {
    const { calls, read } = cacheOf(2)
    for (const growth of [0, 1]) read({ limit: 1 }, growth)
    assert.equal(calls.length, 1)
  })

  it('are made again after the cache is cleared', () => {
    for (const limit of [1, 2]) {
      const { cache, calls, read } = cacheOf(2)
      read({ limit })
      cache.clear()
      read({ limit })
      assert.equal(calls.length, 2)
    }
  })

  it('have at most four million characters together', () => {
    const { calls, read } = cacheOf(9, 'x'.repeat(1_000_000))
    for (const limit of [1, 2, 1, 2]) read({ limit })
    assert.equal(calls.length, 2)
    read({ limit: 3 })
    read({ limit: 1 })
    assert.equal(calls.length, 4)
  })

  it('with no animals are not cached without end', () => {
    const { calls, read } = cacheOf(0)
    for (let after = 0n; after < 40_000n; after++) read({ limit: 1, after })
    read({ limit: 1, after: 0n })
    assert.equal(calls.length, 40_001)
  })
})

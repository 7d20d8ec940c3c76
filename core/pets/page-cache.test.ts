import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { PageCache, pageOf } from './page-cache.ts'
import { type Pet, petToJson } from './pet.ts'
import type { PetQuery } from './store.ts'

const pets = (count: number, name = 'Rex'): Pet[] =>
  Array.from({ length: count }, (_, i) => ({ id: BigInt(i + 1), name, categoryId: 1n }))

/** A cache over a list of as many animals, and the queries that it was called with. */
function cacheOf(count: number, name?: string) {
  const cache = new PageCache()
  const calls: PetQuery[] = []
  const list = (query: PetQuery) => {
    calls.push(query)
    return pets(count, name).slice(0, query.limit)
  }
  return { cache, calls, read: (query: PetQuery, growth = 0) => cache.page(query, list, growth) }
}

it('a page is a bare array of the requested animals, and names its last one if the list has one more', () => {
  const [one = '', two = '', three = ''] = pets(3).map(petToJson)
  for (const [limit, json, next] of [
    [1, `[${one}]`, 1n],
    [2, `[${one},${two}]`, 2n],
    [3, `[${one},${two},${three}]`, undefined],
    [4, `[${one},${two},${three}]`, undefined],
  ] as const)
    assert.deepEqual(pageOf(pets(3), limit), { json, next })
  assert.deepEqual(pageOf([], 1), { json: '[]', next: undefined })
})

describe('cached pages', () => {
  it('are made once for each limit, status and id if more animals follow, with the length in UTF-8', () => {
    const { calls, read } = cacheOf(4, 'Žofie')
    const queries = [
      { limit: 2 },
      { limit: 3 },
      { limit: 2, status: 'sold' },
      { limit: 2, after: 1n },
    ] as const
    for (const query of queries) {
      const first = read(query)
      assert.equal(read(query, 1), first)
      assert.equal(first.bytes, Buffer.byteLength(first.json))
    }
    assert.deepEqual(
      calls,
      queries.map((query) => ({ ...query, limit: query.limit + 1 })),
    )
  })

  it('are made again after the cache is cleared, and after the list has grown if no animal followed', () => {
    const { cache, calls, read } = cacheOf(2)
    for (const growth of [0, 0, 1, 1]) read({ limit: 2 }, growth)
    assert.equal(calls.length, 2)
    for (const limit of [1, 2]) read({ limit }, 1)
    cache.clear()
    for (const limit of [1, 2]) read({ limit }, 1)
    assert.equal(calls.length, 5)
  })

  it('have at most four million characters together, and those without animals a bound, too', () => {
    const { calls, read } = cacheOf(9, 'x'.repeat(1_000_000))
    for (const limit of [1, 2, 1, 2, 3, 1]) read({ limit })
    assert.equal(calls.length, 4)
    const empty = cacheOf(0)
    for (let after = 0n; after < 40_000n; after++) empty.read({ limit: 1, after })
    empty.read({ limit: 1, after: 0n })
    assert.equal(empty.calls.length, 40_001)
  })
})

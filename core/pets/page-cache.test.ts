import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { toPage } from './page.ts'
import { PageCache } from './page-cache.ts'
import type { PetQuery } from './store.ts'

/** Requests pages and returns how often `read` was called. */
function countReads(asked: readonly (PetQuery & { growth?: number })[], count: number, length = 1): number {
  const cache = new PageCache()
  const pet = { id: 1n, name: 'x'.repeat(length), categoryId: 1n }
  let calls = 0
  const readPage = ({ limit }: PetQuery) => {
    calls++
    return toPage(new Array(Math.min(limit + 1, count)).fill(pet), limit)
  }
  for (const { growth = 0, ...query } of asked) cache.getPage(query, readPage, growth)
  return calls
}

describe('PageCache', () => {
  it('reads the last page again after animals were added', () => {
    const queries = [0, 0, 1].map((growth) => ({ limit: 2, growth }))
    assert.deepEqual([countReads(queries, 3), countReads(queries, 2)], [1, 2])
  })

  it('drops all pages when they exceed the maximum size', () => {
    const longListQueries = [1, 2, 1, 2, 3, 1].map((limit) => ({ limit }))
    assert.equal(countReads(longListQueries, 9, 1_000_000), 4)
    const clearedCacheQueries = [1, 2, 3, 1, 2, 3].map((limit) => ({ limit }))
    assert.equal(countReads(clearedCacheQueries, 9, 1_000_000), 6, 'a page that has cleared the cache counts')
    const growingStoreQueries = [0, 1, 2, 3].flatMap((growth) => [{ limit: 9, growth }, { limit: 1 }])
    assert.equal(countReads(growingStoreQueries, 2, 1_000_000), 5, 'a page that is read again counts once')
    const emptyPageQueries = Array.from({ length: 40_001 }, (_, i) => ({
      limit: 1,
      after: BigInt(i % 40_000),
    }))
    assert.equal(countReads(emptyPageQueries, 0), 40_001)
  })
})

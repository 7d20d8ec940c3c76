import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { toPage } from './page.ts'
import { PageCache } from './page-cache.ts'
import type { PetQuery } from './store.ts'

/** Returns how often a cache reads a page for some queries: of `count` animals, with a name of that length. */
function reads(asked: readonly (PetQuery & { growth?: number })[], count: number, length = 1): number {
  const cache = new PageCache()
  const pet = { id: 1n, name: 'x'.repeat(length), categoryId: 1n }
  let calls = 0
  const read = ({ limit }: PetQuery) => {
    calls++
    return toPage(new Array(Math.min(limit + 1, count)).fill(pet), limit)
  }
  for (const { growth = 0, ...query } of asked) cache.page(query, read, growth)
  return calls
}

describe('the page cache', () => {
  it('caches a page, the last one until the list grows', () => {
    const queries = [0, 0, 1].map((growth) => ({ limit: 2, growth }))
    assert.deepEqual([reads(queries, 3), reads(queries, 2)], [1, 2])
  })

  it('has at most four million characters, and counts empty pages too', () => {
    const long = [1, 2, 1, 2, 3, 1].map((limit) => ({ limit }))
    assert.equal(reads(long, 9, 1_000_000), 4)
    const empty = Array.from({ length: 40_001 }, (_, i) => ({ limit: 1, after: BigInt(i % 40_000) }))
    assert.equal(reads(empty, 0), 40_001)
  })
})

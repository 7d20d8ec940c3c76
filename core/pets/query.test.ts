import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ApiError } from '../http/errors.ts'
import { int64Max, int64Min } from '../testing/numbers.ts'
import { readPetQuery } from './query.ts'
import type { PetQuery } from './store.ts'

const validQueries: readonly (readonly [query: string | undefined, read: PetQuery])[] = [
  ...[undefined, '', 'page=2&offset=x&Limit=0&limits=0&toString=1&__proto__=2', 'page=%E2%82%AC'].map(
    (query) => [query, { limit: 20 }] as const,
  ),
  ['limit=1', { limit: 1 }],
  ['limit=100', { limit: 100 }],
  ['after=-5', { limit: 20, after: -5n }],
  ['after=9223372036854775807', { limit: 20, after: int64Max }],
  ['after=-9223372036854775808', { limit: 20, after: int64Min }],
  ['&&limit=3&', { limit: 3 }],
  ['limit=7&status=sold&after=-5', { limit: 7, status: 'sold', after: -5n }],
  ['a%66ter=%2d5&status=%73%6Fld&%6Cimit=%37', { limit: 7, status: 'sold', after: -5n }],
]

/** Invalid queries, grouped by the parameters that their errors name. */
const invalidQueries: Readonly<Record<string, readonly string[]>> = {
  limit: [
    ...['limit=0', 'limit=101', 'limit=-1', 'limit=+1', 'limit=1.0', 'limit=05', 'limit=abc', 'limit=%D9%A1'],
    ...['limit=', 'limit', 'limit=%zz', 'limit=5&limit=5', 'limit=5&l%69mit=6'],
  ],
  status: 'status= status=Sold status=lost status=sold+ status=%FF status=sold&status=pending'.split(' '),
  after: ['after=', 'after=01', 'after=-0', 'after=1.5', 'after=9223372036854775808'],
  page: ['page=%E2%82'],
  '%': ['%=1'],
  'limit,status,after': ['limit=0&status=x&after=y'],
  'limit,page': ['limit=0&page=%'],
}

describe('readPetQuery', () => {
  for (const [query, expected] of validQueries) {
    it(`parses ${query}`, () => assert.deepEqual(readPetQuery(query), expected))
  }

  for (const [parameters, queries] of Object.entries(invalidQueries))
    it(`names ${parameters} in the error for ${queries.length} queries`, () => {
      for (const query of queries) {
        const error = readPetQuery(query)
        assert.ok(error instanceof ApiError && error.code === 'invalid_parameter', query)
        const namedParameters = [...error.message.matchAll(/"([^"]*)"/g)].map(([, name]) => name)
        assert.deepEqual(new Set(namedParameters), new Set(parameters.split(',')), query)
      }
    })

  it('rejects more than 100 parameters', () => {
    assert.deepEqual(readPetQuery(`${'&'.repeat(99)}limit=3`), { limit: 3 })
    const error = readPetQuery(`${'&'.repeat(100)}limit=3`)
    assert.ok(error instanceof ApiError)
    assert.equal(error.message, 'Send at most 100 query parameters.')
  })

  it('stops after 10 problems, so that errors stay short', ({ mock }) => {
    const decodeMock = mock.method(globalThis, 'decodeURIComponent')
    for (const pieces of [
      Array.from({ length: 100 }, (_, i) => `${i}%`),
      new Array<string>(5_000).fill('%'),
    ]) {
      const error = readPetQuery(pieces.join('&'))
      assert.ok(error instanceof ApiError && error.message.length < 1_000)
    }
    assert.equal(decodeMock.mock.callCount(), 10)
  })
})

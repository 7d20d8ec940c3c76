import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { ApiError } from '../http/errors.ts'
import { holds } from '../testing/holds.ts'
import { int64Max, int64Min } from '../testing/int64.ts'
import { petStatuses } from './pet.ts'
import { readPetQuery } from './query.ts'
import type { PetQuery } from './store.ts'

const read: readonly (readonly [query: string | undefined, read: PetQuery])[] = [
  [undefined, { limit: 20 }],
  ['', { limit: 20 }],
  ['limit=1', { limit: 1 }],
  ['limit=100', { limit: 100 }],
  ['limit=%31%30', { limit: 10 }],
  ['l%69mit=7', { limit: 7 }],
  ['status=available', { limit: 20, status: 'available' }],
  ['status=s%6Fld&limit=2', { limit: 2, status: 'sold' }],
  ['after=0', { limit: 20, after: 0n }],
  ['after=-5', { limit: 20, after: -5n }],
  ['after=9223372036854775807', { limit: 20, after: int64Max }],
  ['after=-9223372036854775808', { limit: 20, after: int64Min }],
  ['&&limit=3&', { limit: 3 }],
  ['page=2&offset=x&Limit=0&limits=0&toString=1&__proto__=2', { limit: 20 }],
  ['page=%E2%82%AC', { limit: 20 }],
]

const invalid: readonly (readonly [query: string, parameters: readonly string[]])[] = [
  ['limit=0', ['limit']],
  ['limit=101', ['limit']],
  ['limit=-1', ['limit']],
  ['limit=+1', ['limit']],
  ['limit=1.0', ['limit']],
  ['limit=05', ['limit']],
  ['limit=abc', ['limit']],
  ['limit=%D9%A1', ['limit']],
  ['limit=', ['limit']],
  ['limit', ['limit']],
  ['limit=5&limit=5', ['limit']],
  ['limit=5&l%69mit=6', ['limit']],
  ['status=', ['status']],
  ['status=Sold', ['status']],
  ['status=lost', ['status']],
  ['status=sold+', ['status']],
  ['status=sold&status=pending', ['status']],
  ['after=', ['after']],
  ['after=01', ['after']],
  ['after=-0', ['after']],
  ['after=1.5', ['after']],
  ['after=9223372036854775808', ['after']],
  ['limit=%zz', ['limit']],
  ['status=%FF', ['status']],
  ['page=%E2%82', ['page']],
  ['%=1', ['%']],
  ['limit=0&status=x&after=y', ['limit', 'status', 'after']],
  ['limit=0&page=%', ['limit', 'page']],
]

describe('the query of listPets', () => {
  for (const [query, expected] of read) {
    it(`"${query}" is parsed`, () => assert.deepEqual(readPetQuery(query), expected))
  }

  for (const [query, parameters] of invalid) {
    it(`"${query}" is rejected, and the message names ${parameters.join(', ')}`, () => {
      const error = readPetQuery(query)
      assert.ok(error instanceof ApiError)
      assert.equal(error.code, 'invalid_parameter')
      const named = [...error.message.matchAll(/"([^"]*)"/g)].map(([, name]) => name)
      assert.deepEqual(new Set(named), new Set(parameters))
    })
  }

  it('may have a hundred parameters, empty ones counted, and no more', () => {
    assert.deepEqual(readPetQuery(`${'&'.repeat(99)}limit=3`), { limit: 3 })
    const error = readPetQuery(`${'&'.repeat(100)}limit=3`)
    assert.ok(error instanceof ApiError)
    assert.equal(error.message, 'Send at most 100 query parameters.')
  })

  it('is decoded no further than its tenth problem, and its message names ten', ({ mock }) => {
    const decode = mock.method(globalThis, 'decodeURIComponent')
    for (const pieces of [
      Array.from({ length: 100 }, (_, i) => `${i}%`),
      new Array<string>(100).fill('%'),
      new Array<string>(5_000).fill('%'),
    ]) {
      const error = readPetQuery(pieces.join('&'))
      assert.ok(error instanceof ApiError)
      assert.ok(error.message.length < 1_000)
    }
    assert.equal(decode.mock.callCount(), 20)
  })

  it('has the same result in any order and with any escapes', () => {
    const wanted = fc.record(
      {
        limit: fc.integer({ min: 1, max: 100 }),
        status: fc.constantFrom(...petStatuses),
        after: fc.bigInt({ min: int64Min, max: int64Max }),
      },
      { requiredKeys: ['limit'], noNullPrototype: true },
    )
    const percentEncode = (text: string, rate: number) =>
      text.replace(/[\w-]/g, (c) =>
        c.charCodeAt(0) % rate === 0 ? `%${c.charCodeAt(0).toString(16).padStart(2, '0')}` : c,
      )
    holds(
      fc.property(wanted, fc.integer({ min: 1, max: 5 }), fc.boolean(), (query, rate, reversed) => {
        const pairs = Object.entries(query).map(
          ([key, value]) => `${percentEncode(key, rate)}=${percentEncode(`${value}`, rate)}`,
        )
        assert.deepEqual(readPetQuery((reversed ? pairs.reverse() : pairs).join('&')), query)
      }),
    )
  })

  it('is parsed or rejected, whatever it contains, and never fills a message', () => {
    holds(
      fc.property(
        fc.string({ unit: fc.constantFrom(...'lsa%=&+2Fé\u0000\ud83d', 'limit=', '%F0'), maxLength: 60 }),
        (text) => {
          const result = readPetQuery(text)
          if (result instanceof ApiError) assert.ok(result.message.length < 200 + text.split('&').length * 80)
        },
      ),
      1_000,
    )
  })
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Account, createAccount } from './account.ts'
import { createAccountTable } from './account-table.ts'
import { defaultBanPolicy } from './bans.ts'

const accountOf = (...bucket: readonly number[]): Account => ({ bucket: [...bucket], ban: undefined })

/** Stores an account under a key, and returns its place. */
function put(
  table: ReturnType<typeof createAccountTable>,
  key: string,
  account: Account,
  emptyAt = 0,
): number {
  const found = table.find(key)
  const place = found < 0 ? table.add(key) : found
  table.write(place, account, emptyAt)
  return place
}

function keysOf(table: ReturnType<typeof createAccountTable>): string[] {
  const keys: string[] = []
  const entries = table.entries()
  for (let next = entries.next(); !next.done; next = entries.next()) keys.push(next.value[0])
  return keys
}

test('a table returns what was written under each key, whatever comes and goes', () => {
  const step = fc.record({
    key: fc.integer({ min: 0, max: 20 }).map(String),
    numbers: fc.option(fc.array(fc.integer(), { minLength: 4, maxLength: 10 }), { nil: undefined }),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const table = createAccountTable(undefined)
      const expected = new Map<string, readonly number[]>()
      for (const { key, numbers } of steps) {
        if (numbers) {
          put(table, key, accountOf(...numbers), numbers[0])
          expected.set(key, numbers)
        } else if (expected.delete(key)) table.delete(table.find(key), key)
      }
      assert.equal(table.size, expected.size)
      for (const [key, numbers] of expected) {
        const place = table.find(key)
        assert.deepEqual(table.read(place).bucket.slice(0, numbers.length), numbers)
        assert.equal(table.emptyAt(place), numbers[0])
      }
      assert.deepEqual(keysOf(table).sort(), [...expected.keys()].sort())
    }),
  )
})

test('accounts of more limits widen the rows of all, which keep their numbers', () => {
  const table = createAccountTable(undefined)
  const places = Array.from({ length: 5_000 }, (_, i) =>
    put(table, `narrow ${i}`, accountOf(i, i + 1, i + 2, i + 3), i),
  )
  const wide = put(table, 'wide', accountOf(1, 2, 3, 4, 5, 6, 7), 9)
  places.forEach((place, i) => {
    assert.deepEqual(table.read(place).bucket.slice(0, 4), [i, i + 1, i + 2, i + 3])
    assert.equal(table.emptyAt(place), i)
  })
  assert.deepEqual(table.read(wide).bucket, [1, 2, 3, 4, 5, 6, 7])
})

test('the row of a deleted key is used again, without its numbers or its ban', () => {
  const table = createAccountTable(defaultBanPolicy)
  const limits = [{ requests: 60, windowMs: 60_000 }]
  const first = put(table, 'first', {
    bucket: [1, 2, 3, 4],
    ban: { rejections: [], until: 5_000, strikes: 1, streakAt: 0, rejectedAt: 0 },
  })
  assert.equal(table.read(first).ban?.until, 5_000)
  table.delete(first, 'first')
  assert.equal(table.find('first'), -1)
  const second = put(table, 'second', createAccount(limits, 7))
  assert.equal(second, first)
  assert.deepEqual(table.read(second).bucket, createAccount(limits, 7).bucket)
  assert.equal(table.read(second).ban, undefined)
})

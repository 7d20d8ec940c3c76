import assert from 'node:assert/strict'
import { test } from 'node:test'
import { creationValues, petOfRow, rowValues } from './rows.ts'

test('a row becomes the animal that it was, its int64 exact and its status absent for null', () => {
  const row = { id: '9007199254740991', name: 'Rex', categoryId: '-9223372036854775808', status: null }
  assert.deepEqual(petOfRow(row), { id: 9007199254740991n, name: 'Rex', categoryId: -(2n ** 63n) })
  assert.equal(petOfRow({ ...row, status: 'sold' }).status, 'sold')
})

test('an animal is inserted with its int64 as text and null for no status', () => {
  assert.deepEqual(rowValues({ name: 'Rex', categoryId: 2n ** 63n - 1n }), [
    'Rex',
    '9223372036854775807',
    null,
  ])
  assert.deepEqual(rowValues({ name: '', categoryId: 0n, status: 'sold' }), ['', '0', 'sold'])
})

test('the times of a clock with fractions of a millisecond are whole numbers in a statement', () => {
  const key = { token: 'a', fingerprint: 'b', now: 0.25, expiresAt: 86_400_000.75 }
  assert.deepEqual(creationValues(key), { ...key, now: '0', expiresAt: '86400000' })
})

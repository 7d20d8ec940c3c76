import assert from 'node:assert/strict'
import { test } from 'node:test'
import { petOfRow, rowValues } from './pet-row.ts'

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

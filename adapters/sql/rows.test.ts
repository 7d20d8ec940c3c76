import assert from 'node:assert/strict'
import { test } from 'node:test'
import { creationValues } from './rows.ts'

test('the times of a clock with fractions of a millisecond are whole numbers in a statement', () => {
  const key = { token: 'a', fingerprint: 'b', now: 0.25, expiresAt: 86_400_000.75 }
  assert.deepEqual(creationValues(key), { ...key, now: '0', expiresAt: '86400000' })
})

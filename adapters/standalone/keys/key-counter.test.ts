import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { KeyRecord } from '../../../core/index.ts'
import { createKeyCounter } from './key-counter.ts'

const key = (id: string, number: string, more: Partial<KeyRecord> = {}): KeyRecord => ({
  id,
  sha256: number.padEnd(64, '0'),
  plan: 'free',
  ...more,
})

test('counts what is valid at a time, and names when the next caller has no key any more', () => {
  const count = createKeyCounter([
    key('forever', '000001'),
    key('forever', '000010', { expiresAt: '1970-01-01T00:00:01Z' }),
    key('ending', '000100', { expiresAt: '1970-01-01T00:00:02Z' }),
    key('ending', '001000', { expiresAt: '1970-01-01T00:00:01Z' }),
    key('ended', '010000', { expiresAt: '1970-01-01T00:00:01Z', revokedAt: '1970-01-01' }),
  ])
  assert.deepEqual(count(0), { issued: 5, inForce: 4, fingerprint: 0x1111, nextExpiry: 2000 })
  assert.deepEqual(count(1000), { issued: 5, inForce: 2, fingerprint: 0x101, nextExpiry: 2000 })
  assert.deepEqual(count(2000), { issued: 5, inForce: 1, fingerprint: 1 })
})

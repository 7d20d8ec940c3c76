import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { KeyRecord } from '../../../core/index.ts'
import { createKeyCounter } from './key-counter.ts'

const key = (more: Partial<KeyRecord>): KeyRecord => ({ id: 'x', sha256: '', plan: 'free', ...more })

test('counts what is valid at a time, and names the next expiry after it', () => {
  const count = createKeyCounter([
    key({}),
    key({ expiresAt: '1970-01-01T00:00:02Z' }),
    key({ expiresAt: '1970-01-01T00:00:01Z' }),
    key({ expiresAt: '1970-01-01T00:00:01Z', revokedAt: '1970-01-01' }),
  ])
  assert.deepEqual(count(0), { issued: 4, inForce: 3, nextExpiry: 1000 })
  assert.deepEqual(count(1000), { issued: 4, inForce: 2, nextExpiry: 2000 })
  assert.deepEqual(count(2000), { issued: 4, inForce: 1 })
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { KeyRecord } from '../../../core/index.ts'
import { formatTable } from './print-keys.ts'

const now = Date.parse('2027-01-01T00:00:00Z')
const key = (more: Partial<KeyRecord> = {}): KeyRecord => ({
  id: 'shelter',
  sha256: 'abcdef0123456789'.repeat(4),
  plan: 'pro',
  createdAt: '2026-01-01T00:00:00.000Z',
  ...more,
})

test('keys list prints each key with plan, state, dates and label', () => {
  const { createdAt: _, ...undated } = key({ id: 'a\u001b[2Jb', label: '\u202ec' })
  const limits = { minute: 5, day: 50 }
  const keys = [
    key({ label: 'Berlin' }),
    key({ expiresAt: '2028-01-31T12:30:00+02:00' }),
    key({ expiresAt: '2027-01-01T00:00:00Z' }),
    key({ id: 'a', plan: 'enterprise', limits, revokedAt: '2026-02-01T00:00:00Z' }),
    undated,
  ]
  assert.equal(
    formatTable(keys, now),
    `ID           PLAN        MINUTE/DAY  STATE                          ISSUED             HASH          LABEL
shelter      pro         300/10000   valid                          2026-01-01T00:00Z  abcdef012345  Berlin
shelter      pro         300/10000   valid until 2028-01-31T10:30Z  2026-01-01T00:00Z  abcdef012345
shelter      pro         300/10000   expired 2027-01-01T00:00Z      2026-01-01T00:00Z  abcdef012345
a            enterprise  5/50        revoked 2026-02-01T00:00Z      2026-01-01T00:00Z  abcdef012345
a\\u{1b}[2Jb  pro         300/10000   valid                          -                  abcdef012345  \\u{202e}c
`,
  )
})

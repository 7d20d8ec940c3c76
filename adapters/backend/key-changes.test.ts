import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { KeyRecord } from '../../core/index.ts'
import { importKeys, issueKey, revokeKeys, rotateKeys } from './key-changes.ts'

const now = Date.parse('2027-01-01T00:00:00.000Z')
const hourMs = 3_600_000
const toIso = (ms: number) => new Date(ms).toISOString()

const firstKey: KeyRecord = {
  id: 'shelter',
  sha256: 'a'.repeat(64),
  plan: 'enterprise',
  limits: { minute: 5, day: 50 },
  label: 'Berlin',
  createdAt: '2026-01-01T00:00:00.000Z',
}
const secondKey = { ...firstKey, sha256: 'b'.repeat(64), createdAt: '2026-06-01T00:00:00.000Z', label: 'new' }
const revokedKey = { ...firstKey, revokedAt: '2026-02-01T00:00:00.000Z' }
const newKey = { id: 'shelter', sha256: 'c'.repeat(64) }

const issue = issueKey({ ...newKey, plan: 'pro' }, now)
const rotate = rotateKeys(newKey, undefined, now)
const revoke = revokeKeys({ id: 'shelter' }, now)
const revokeByHash = revokeKeys({ sha256: 'abc' }, now)
const createdAt = toIso(now)
const issuedKey = { ...newKey, plan: 'pro', createdAt }
const rotatedKey = { ...secondKey, ...newKey, createdAt }
const revokeNow = (key: KeyRecord) => ({ ...key, revokedAt: createdAt })
const expireInHours = (key: KeyRecord, hours: number) => ({ ...key, expiresAt: toIso(now + hours * hourMs) })
const freeKey: KeyRecord = { ...secondKey, plan: 'free' }

for (const [sentence, change, before, changed] of [
  ['an issued key has a creation time', issue, [], [issuedKey]],
  ['a key can be issued for an id with only revoked keys', issue, [revokedKey], [issuedKey]],
  [
    'a rotation copies the latest key and revokes previous keys',
    rotate,
    [firstKey, secondKey],
    [...[firstKey, secondKey].map(revokeNow), rotatedKey],
  ],
  [
    'a rotation with an overlap shortens the life of previous keys',
    rotateKeys(newKey, hourMs, now),
    [expireInHours(firstKey, 0.5), expireInHours(secondKey, 2)],
    [expireInHours(secondKey, 1), rotatedKey],
  ],
  [
    'a rotation does not change expired or revoked keys',
    rotate,
    [expireInHours(secondKey, 0), revokedKey],
    [rotatedKey],
  ],
  ['a revocation does not change revoked keys', revoke, [revokedKey, secondKey], [revokeNow(secondKey)]],
  ['an import does not change a stored key', importKeys([{ ...firstKey, label: 'other' }]), [firstKey], []],
  ['an import does not make a revoked key valid again', importKeys([firstKey]), [revokedKey], []],
  [
    'an import can revoke a stored key',
    importKeys([{ ...revokedKey, label: 'x' }]),
    [firstKey],
    [revokedKey],
  ],
  ['an import adds a second key to an id', importKeys([secondKey]), [firstKey], [secondKey]],
  [
    'an import adds a revoked key with another plan',
    importKeys([revokeNow(freeKey)]),
    [firstKey],
    [revokeNow(freeKey)],
  ],
] as const)
  test(sentence, () => {
    assert.deepEqual(change(before), changed)
  })

for (const [sentence, change, before, message] of [
  [
    'an id with a valid key cannot get another key',
    issue,
    [revokedKey, secondKey],
    /already has a key: rotate the key/,
  ],
  [
    'an id with an expired key cannot get another key',
    issue,
    [expireInHours(firstKey, 0)],
    /already has a key/,
  ],
  ['a rotation requires a known id', rotate, [], /the id "shelter" has no key/],
  [
    'a rotation requires a key that is not revoked',
    rotate,
    [revokedKey],
    /or only revoked keys: issue a key/,
  ],
  ['a revocation requires a known id', revoke, [], /the id "shelter" has no key/],
  ['a revocation requires a known hash', revokeByHash, [], /starts with abc, found 0/],
  ['a revocation requires an unambiguous hash prefix', revokeByHash, [firstKey, revokedKey], /found 2/],
  [
    'an import rejects a hash that belongs to another id',
    importKeys([{ ...firstKey, id: 'x' }]),
    [firstKey],
    /keys\[0\].sha256/,
  ],
  ['an import rejects a second plan for an id', importKeys([freeKey]), [firstKey], /keys\[0\].id/],
] as const)
  test(sentence, () => {
    assert.throws(() => change(before), { name: 'Error', message })
  })

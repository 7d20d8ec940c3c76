import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { KeyRecord } from '../../../core/index.ts'
import { issueKey, revokeKeys, rotateKeys } from './changes.ts'

const now = Date.parse('2027-01-01T00:00:00.000Z')
const hourMs = 3_600_000
const iso = (ms: number) => new Date(ms).toISOString()

const old: KeyRecord = {
  id: 'shelter',
  sha256: 'a'.repeat(64),
  plan: 'enterprise',
  limits: { minute: 5, day: 50 },
  label: 'Berlin',
  createdAt: '2026-01-01T00:00:00.000Z',
}
const other: KeyRecord = {
  ...old,
  sha256: 'b'.repeat(64),
  createdAt: '2026-06-01T00:00:00.000Z',
  label: 'new',
}
const revoked: KeyRecord = { ...old, revokedAt: '2026-02-01T00:00:00.000Z' }
const next = { id: 'shelter', sha256: 'c'.repeat(64) }
const { createdAt: _, ...undated } = old

test('an issued key has the time of its issue', () => {
  assert.deepEqual(issueKey(undated, now)([]), [{ ...old, createdAt: iso(now) }])
})

test('no key is issued for an id that has one, even an expired one, unless all of them are revoked', () => {
  for (const keys of [[old], [revoked, other], [{ ...old, expiresAt: iso(0) }]])
    assert.throws(() => issueKey(undated, now)(keys), {
      name: 'CommandError',
      message: 'the id "shelter" has a key: use keys rotate to replace it, or another --id',
    })
  assert.equal(issueKey({ ...undated, plan: 'pro' }, now)([revoked]).length, 1)
})

test('a rotation adds a key with the plan, limits and label of the latest one, and revokes the others', () => {
  assert.deepEqual(rotateKeys(next, undefined, now)([old, other]), [
    { ...old, revokedAt: iso(now) },
    { ...other, revokedAt: iso(now) },
    { ...other, ...next, createdAt: iso(now) },
  ])
})

test('with an overlap, the older keys of a rotation expire after it, and none later than before', () => {
  const soon = { ...old, expiresAt: iso(now + hourMs / 2) }
  const late = { ...other, expiresAt: iso(now + 2 * hourMs) }
  assert.deepEqual(rotateKeys(next, hourMs, now)([soon, late]), [
    { ...late, expiresAt: iso(now + hourMs) },
    { ...other, ...next, createdAt: iso(now) },
  ])
})

test('a new key has an expiry of its own, and none of the older one', () => {
  const [, added] = rotateKeys(next, undefined, now)([{ ...old, expiresAt: iso(now + hourMs) }])
  assert.equal(added?.expiresAt, undefined)
  const [, limited] = rotateKeys({ ...next, expiresAt: iso(now + 9) }, undefined, now)([old])
  assert.equal(limited?.expiresAt, iso(now + 9))
})

test('a rotation leaves keys that have ended as they are', () => {
  const expired = { ...old, expiresAt: iso(now) }
  assert.deepEqual(rotateKeys(next, undefined, now)([expired, revoked]), [
    { ...old, ...next, createdAt: iso(now) },
  ])
})

test('a rotation requires a key that is not revoked', () => {
  const rotate = rotateKeys(next, undefined, now)
  assert.throws(() => rotate([]), {
    name: 'CommandError',
    message: 'no key has the id "shelter": keys list shows the ids',
  })
  assert.throws(() => rotate([revoked]), /every key of the id "shelter" is revoked: use keys issue/)
})

test('a revocation revokes every key of an id that is not revoked yet', () => {
  const changed = revokeKeys({ id: 'shelter' }, now)([revoked, other])
  assert.deepEqual(changed, [{ ...other, revokedAt: iso(now) }])
  assert.deepEqual(revokeKeys({ id: 'shelter' }, now)([revoked]), [])
  assert.throws(() => revokeKeys({ id: 'vet' }, now)([]), /no key has the id "vet"/)
})

test('a revocation by hash requires that exactly one key has it', () => {
  const revoke = revokeKeys({ sha256: 'abc' }, now)
  assert.deepEqual(revoke([old]), [{ ...old, revokedAt: iso(now) }])
  assert.throws(() => revoke([]), /no key has a hash that begins with abc/)
  assert.throws(() => revoke([old, revoked]), /the hashes of 2 keys begin with abc: give more digits/)
})

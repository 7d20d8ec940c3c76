import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { KeyRecord } from '../../../core/index.ts'
import { issueKey, joiningKeys, revokeKeys, rotateKeys } from './changes.ts'

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
const other = { ...old, sha256: 'b'.repeat(64), createdAt: '2026-06-01T00:00:00.000Z', label: 'new' }
const revoked = { ...old, revokedAt: '2026-02-01T00:00:00.000Z' }
const next = { id: 'shelter', sha256: 'c'.repeat(64) }

const issue = issueKey({ ...next, plan: 'pro' }, now)
const rotate = rotateKeys(next, undefined, now)
const revoke = revokeKeys({ id: 'shelter' }, now)
const revokeByHash = revokeKeys({ sha256: 'abc' }, now)
const createdAt = iso(now)
const issued = { ...next, plan: 'pro', createdAt }
const rotated = { ...other, ...next, createdAt }
const end = (key: KeyRecord) => ({ ...key, revokedAt: createdAt })
const until = (key: KeyRecord, hours: number) => ({ ...key, expiresAt: iso(now + hours * hourMs) })
const free: KeyRecord = { ...other, plan: 'free' }

for (const [sentence, change, before, changed] of [
  ['an issued key has the time of its issue', issue, [], [issued]],
  ['an id whose keys are all revoked gets another one', issue, [revoked], [issued]],
  [
    'a rotation adds a key like the latest, and ends the others',
    rotate,
    [old, other],
    [...[old, other].map(end), rotated],
  ],
  [
    'with an overlap, the older keys expire after it, and none later than before',
    rotateKeys(next, hourMs, now),
    [until(old, 0.5), until(other, 2)],
    [until(other, 1), rotated],
  ],
  ['a rotation leaves ended keys as they are', rotate, [until(other, 0), revoked], [rotated]],
  ['a revocation leaves revoked keys as they are', revoke, [revoked, other], [end(other)]],
  ['an imported key that is there stays as it is', joiningKeys([{ ...old, label: 'other' }]), [old], []],
  ['an imported key does not become valid again', joiningKeys([old]), [revoked], []],
  ['an import revokes a key', joiningKeys([{ ...revoked, label: 'x' }]), [old], [revoked]],
  ['an imported key joins those of its id', joiningKeys([other]), [old], [other]],
  ['a revoked key of another plan joins', joiningKeys([end(free)]), [old], [end(free)]],
] as const)
  test(sentence, () => {
    assert.deepEqual(change(before), changed)
  })

for (const [sentence, change, before, message] of [
  ['no key is issued for an id that has one', issue, [revoked, other], /has a key: use keys rotate/],
  ['an expired key counts too', issue, [until(old, 0)], /has a key/],
  ['a rotation requires a key', rotate, [], /no key has the id "shelter".*: keys list/],
  ['a rotation requires a key that is not revoked', rotate, [revoked], /unless it is revoked.*keys issue/],
  ['a revocation requires a key', revoke, [], /no key has the id "shelter"/],
  ['a revocation by hash requires a key', revokeByHash, [], /0 keys have a hash .* abc/],
  ['a revocation by hash requires one key', revokeByHash, [old, revoked], /2 keys have a hash/],
  [
    'an imported hash of another id is refused',
    joiningKeys([{ ...old, id: 'x' }]),
    [old],
    /keys\[0\].sha256/,
  ],
  ['an imported key of another plan is refused', joiningKeys([free]), [old], /keys\[0\].id/],
] as const)
  test(sentence, () => {
    assert.throws(() => change(before), { name: 'CommandError', message })
  })

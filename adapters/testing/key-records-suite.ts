import assert from 'node:assert/strict'
import { type KeyRecord, type MaybePromise, sha256 } from '../../core/index.ts'
import { toIsoTime } from '../../core/internal.ts'
import type { KeyRecords } from '../backend/index.ts'

type Test = (name: string, body: () => Promise<void>) => unknown

/** A backend's key records, opened for one test. */
export interface OpenedRecords {
  readonly records: KeyRecords
  /**
   * The same records on a second connection.
   *
   * @default the same object as `records`
   */
  readonly other?: KeyRecords
  close(): MaybePromise<unknown>
}

/** The time in the tests, in milliseconds since the epoch. */
export const recordsTime: number = Date.parse('2027-01-01T00:00:00Z')

/** A key with every member. */
export const shelterKey: KeyRecord = {
  id: 'shelter',
  sha256: sha256('a-key'),
  plan: 'enterprise',
  limits: { minute: 5, day: 50 },
  label: 'for the shelter',
  createdAt: '2026-12-01T00:00:00.000Z',
  expiresAt: '2028-01-01T00:00:00.000Z',
}
const revokedKey: KeyRecord = {
  ...shelterKey,
  sha256: sha256('second'),
  createdAt: '2026-12-02T00:00:00.000Z',
  revokedAt: '2026-12-03T00:00:00.000Z',
}
const vetKey: KeyRecord = {
  id: 'a vet',
  sha256: sha256('of-vet'),
  plan: 'free',
  createdAt: '2026-12-01T00:00:00.000Z',
}

/** Declares tests for a backend's key records. `open` returns empty records. */
export function testKeyRecords(test: Test, open: () => MaybePromise<OpenedRecords>): void {
  const withRecords = (name: string, body: (records: KeyRecords, other: KeyRecords) => Promise<void>) =>
    test(name, async () => {
      const { records, other = records, close } = await open()
      try {
        await body(records, other)
      } finally {
        await close()
      }
    })

  withRecords('lists keys by id and creation time, and replaces updated keys', async (records) => {
    assert.deepEqual(await records.update({ id: 'shelter' }, () => [revokedKey, shelterKey]), [
      revokedKey,
      shelterKey,
    ])
    await records.update({ id: 'a vet' }, () => [vetKey])
    assert.deepEqual(await records.list(), [vetKey, shelterKey, revokedKey])
    assert.deepEqual(await records.list({ id: 'shelter' }), [shelterKey, revokedKey])
    assert.deepEqual(await records.list({ sha256: revokedKey.sha256.slice(0, 8) }), [revokedKey])
    assert.deepEqual(await records.list({ sha256: revokedKey.sha256 }), [revokedKey])
    assert.deepEqual(await records.list({ id: 'b' }), [])
    const relabelledKey = { ...shelterKey, label: 'another' }
    await records.update({ id: 'shelter' }, (keys) => {
      assert.deepEqual(keys, [shelterKey, revokedKey])
      return [relabelledKey]
    })
    assert.deepEqual(await records.list(), [vetKey, relabelledKey, revokedKey])
  })

  withRecords('counts issued and valid keys, and returns the next expiry', async (records) => {
    assert.deepEqual(await records.update({ id: 'shelter' }, () => []), [])
    await records.update({ id: 'shelter' }, () => [
      { ...shelterKey, expiresAt: toIsoTime(recordsTime + 2000) },
      { ...shelterKey, sha256: sha256('later'), expiresAt: toIsoTime(recordsTime + 3000) },
      { ...shelterKey, sha256: sha256('past'), expiresAt: toIsoTime(recordsTime) },
      { ...revokedKey, expiresAt: toIsoTime(recordsTime + 1000) },
    ])
    await records.update({ id: 'a vet' }, () => [vetKey])
    const parseHash = (hash: string) => Number.parseInt(hash.slice(0, 6), 16)
    const fingerprint = parseHash(vetKey.sha256)
    assert.deepEqual(await records.count(recordsTime), {
      issued: 5,
      inForce: 3,
      nextExpiry: recordsTime + 3000, // of the keys that are still valid
      fingerprint: fingerprint + parseHash(shelterKey.sha256) + parseHash(sha256('later')),
    })
    assert.deepEqual(await records.count(recordsTime + 3000), { issued: 5, inForce: 1, fingerprint })
  })

  withRecords('applies concurrent updates on two connections one after the other', async (records, other) => {
    const addTen = async (keys: KeyRecords, name: string) => {
      for (let i = 0; i < 10; i++)
        await keys.update({ id: 'shelter' }, (before) => [
          { ...shelterKey, sha256: sha256(`${name}-${i}`), label: `the ${before.length + 1}.` },
        ])
    }
    await Promise.all([addTen(records, 'one'), addTen(other, 'other')])
    assert.equal(new Set((await records.list()).map(({ label }) => label)).size, 20)
  })

  withRecords('stores all keys in an update or none, and rejects conflicting keys', async (records) => {
    await records.update({ id: 'a vet' }, () => [vetKey])
    await records.update({ id: 'shelter' }, () => [shelterKey])
    const failingChanges: readonly (readonly [change: () => readonly KeyRecord[], message: RegExp])[] = [
      [() => [revokedKey, { ...revokedKey, sha256: 'no hash' }], /keys\[\d\]\.sha256 must be 64/],
      [
        () => [revokedKey, { ...revokedKey, sha256: sha256('third'), plan: 'free' }],
        /keys\[\d\]\.limits must be/,
      ],
      [
        () => [revokedKey, { ...revokedKey, sha256: vetKey.sha256 }],
        /the sha256 of a key belongs to another caller/,
      ],
      [() => [{ id: 'shelter', sha256: revokedKey.sha256, plan: 'free' }], /different plan/],
      [
        () => {
          throw new TypeError('refused')
        },
        /refused/,
      ],
    ]
    for (const [change, message] of failingChanges)
      await assert.rejects(async () => records.update({ id: 'shelter' }, change), { message })
    assert.deepEqual(await records.list(), [vetKey, shelterKey])
  })
}

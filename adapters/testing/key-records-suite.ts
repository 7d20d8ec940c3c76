import assert from 'node:assert/strict'
import { type KeyRecord, type MaybePromise, sha256 } from '../../core/index.ts'
import { toIsoTime } from '../../core/internal.ts'
import type { KeyRecords } from '../sql/key-records.ts'

type Test = (name: string, body: () => Promise<void>) => unknown

/** Records without keys, opened for one test. */
export interface OpenRecords {
  readonly records: KeyRecords
  /** The same records, on a connection of their own; `records` by default. */
  readonly other?: KeyRecords
  close(): MaybePromise<unknown>
}

/** The time of the tests, in milliseconds since the epoch. */
export const recordsNow: number = Date.parse('2027-01-01T00:00:00Z')

/** A key with every member but the time of a revocation. */
export const shelterKey: KeyRecord = {
  id: 'shelter',
  sha256: sha256('a-key'),
  plan: 'enterprise',
  limits: { minute: 5, day: 50 },
  label: 'of the shelter',
  createdAt: '2026-12-01T00:00:00.000Z',
  expiresAt: '2028-01-01T00:00:00.000Z',
}
const second: KeyRecord = {
  ...shelterKey,
  sha256: sha256('second'),
  createdAt: '2026-12-02T00:00:00.000Z',
  revokedAt: '2026-12-03T00:00:00.000Z',
}
const vet: KeyRecord = {
  id: 'a vet',
  sha256: sha256('of-vet'),
  plan: 'free',
  createdAt: '2026-12-01T00:00:00.000Z',
}

/** Declares a test for each rule of `KeyRecords`, wherever they are stored. */
export function keyRecordsSuite(test: Test, open: () => MaybePromise<OpenRecords>): void {
  const withRecords = (name: string, body: (records: KeyRecords, other: KeyRecords) => Promise<void>) =>
    test(name, async () => {
      const { records, other = records, close } = await open()
      try {
        await body(records, other)
      } finally {
        await close()
      }
    })

  withRecords(
    'lists the stored keys by id and time of issue, with all their members, and replaces those of a change',
    async (records) => {
      assert.deepEqual(await records.update({ id: 'shelter' }, () => [second, shelterKey]), [
        second,
        shelterKey,
      ])
      await records.update({ id: 'a vet' }, () => [vet])
      assert.deepEqual(await records.list(), [vet, shelterKey, second])
      assert.deepEqual(await records.list({ id: 'shelter' }), [shelterKey, second])
      assert.deepEqual(await records.list({ sha256: second.sha256.slice(0, 8) }), [second])
      assert.deepEqual(await records.list({ sha256: second.sha256 }), [second])
      assert.deepEqual(await records.list({ id: 'b' }), [])
      const relabelled = { ...shelterKey, label: 'another' }
      await records.update({ id: 'shelter' }, (keys) => {
        assert.deepEqual(keys, [shelterKey, second])
        return [relabelled]
      })
      assert.deepEqual(await records.list(), [vet, relabelled, second])
    },
  )

  withRecords(
    'counts the keys that were issued and those in force, and names the next expiry',
    async (records) => {
      assert.deepEqual(await records.update({ id: 'shelter' }, () => []), [])
      await records.update({ id: 'shelter' }, () => [
        { ...shelterKey, expiresAt: toIsoTime(recordsNow + 2000) },
        { ...shelterKey, sha256: sha256('later'), expiresAt: toIsoTime(recordsNow + 3000) },
        { ...shelterKey, sha256: sha256('past'), expiresAt: toIsoTime(recordsNow) },
        { ...second, expiresAt: toIsoTime(recordsNow + 1000) },
      ])
      await records.update({ id: 'a vet' }, () => [vet])
      const parseHash = (hash: string) => Number.parseInt(hash.slice(0, 6), 16)
      const fingerprint = parseHash(vet.sha256)
      assert.deepEqual(await records.count(recordsNow), {
        issued: 5,
        inForce: 3,
        nextExpiry: recordsNow + 3000, // until then, the caller has a valid key
        fingerprint: fingerprint + parseHash(shelterKey.sha256) + parseHash(sha256('later')),
      })
      assert.deepEqual(await records.count(recordsNow + 3000), { issued: 5, inForce: 1, fingerprint })
    },
  )

  withRecords('changes of two connections at once are made one after the other', async (records, other) => {
    const addTen = async (keys: KeyRecords, name: string) => {
      for (let i = 0; i < 10; i++)
        await keys.update({ id: 'shelter' }, (before) => [
          { ...shelterKey, sha256: sha256(`${name}-${i}`), label: `the ${before.length + 1}.` },
        ])
    }
    await Promise.all([addTen(records, 'one'), addTen(other, 'other')])
    assert.equal(new Set((await records.list()).map(({ label }) => label)).size, 20)
  })

  withRecords(
    'stores all keys of a change or none, and none that disagrees with others of its caller',
    async (records) => {
      await records.update({ id: 'a vet' }, () => [vet])
      await records.update({ id: 'shelter' }, () => [shelterKey])
      const failing: readonly (readonly [change: () => readonly KeyRecord[], message: RegExp])[] = [
        [() => [second, { ...second, sha256: 'no hash' }], /keys\[\d\]\.sha256 must be 64/],
        [() => [second, { ...second, sha256: sha256('third'), plan: 'free' }], /keys\[\d\]\.limits must be/],
        [() => [second, { ...second, sha256: vet.sha256 }], /the sha256 of a key belongs to another caller/],
        [() => [{ id: 'shelter', sha256: second.sha256, plan: 'free' }], /another plan/],
        [
          () => {
            throw new TypeError('refused')
          },
          /refused/,
        ],
      ]
      for (const [change, message] of failing)
        await assert.rejects(async () => records.update({ id: 'shelter' }, change), { message })
      assert.deepEqual(await records.list(), [vet, shelterKey])
    },
  )
}

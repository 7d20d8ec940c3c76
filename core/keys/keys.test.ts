import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sha256 } from '../base/sha256.ts'
import { createTestClock } from '../testing/test-clock.ts'
import { createKeyStore, type KeyRecord } from './keys.ts'

const createRecord = (token: string, more: Partial<KeyRecord> = {}): KeyRecord => ({
  id: `caller of ${token}`,
  sha256: sha256(token),
  plan: 'free',
  ...more,
})

describe('createKeyStore', () => {
  it('finds the caller that a key belongs to', () => {
    const limits = { minute: 7, day: 70 }
    const keys = createKeyStore([createRecord('f'), createRecord('e', { plan: 'enterprise', limits })])
    assert.deepEqual(keys.find('f'), { id: 'caller of f', plan: 'free' })
    assert.deepEqual(keys.find('e'), { id: 'caller of e', plan: 'enterprise', limits })
    assert.equal(keys.find('f', sha256('f')), keys.find('f'))
    for (const token of ['g', sha256('f')]) assert.equal(keys.find(token), undefined)
    assert.equal(createKeyStore([]).find('f'), undefined)
  })

  it('throws if the clock does not return a number', () => {
    const clock = () => Number.NaN
    assert.throws(() => createKeyStore([], { clock }), /^TypeError: options\.clock must return milliseconds/)
  })

  it('expires a key at its expiresAt', () => {
    for (const expiresAt of ['2026-11-20T00:00:00Z', '2026-11-20', '2026-11-20T01:00+01:00']) {
      const { clock, advance } = createTestClock(Date.UTC(2026, 10, 20) - 1)
      const keys = createKeyStore([createRecord('f', { expiresAt })], { clock })
      assert.ok(keys.find('f'), expiresAt)
      advance(1)
      assert.equal(keys.find('f'), undefined, expiresAt)
    }
  })

  it('returns the same caller for all keys with the same id', () => {
    const keys = createKeyStore([
      createRecord('old', {
        id: 'shelter',
        plan: 'enterprise',
        limits: { minute: 7, day: 70 },
        label: 'old',
      }),
      createRecord('new', { id: 'shelter', plan: 'enterprise', limits: { day: 70, minute: 7 } }),
    ])
    assert.deepEqual(keys.find('old'), { id: 'shelter', plan: 'enterprise', limits: { minute: 7, day: 70 } })
    assert.equal(keys.find('new'), keys.find('old'))
  })

  it('ignores revoked keys', () => {
    const oldRecord = createRecord('old', { id: 'shelter', revokedAt: '9999-01-01T00:00:00Z' })
    const currentRecord = createRecord('new', { id: 'shelter', plan: 'pro', createdAt: '2026-11-20' })
    for (const keys of [
      createKeyStore([oldRecord, currentRecord]),
      createKeyStore([currentRecord, oldRecord]),
    ]) {
      assert.deepEqual(keys.find('new'), { id: 'shelter', plan: 'pro' })
      assert.equal(keys.find('old'), undefined)
    }
  })

  const validRecord = createRecord('f')
  const otherRecord = createRecord('g')
  const withLimits = (limits: unknown) => ({ plan: 'enterprise', limits })
  const asEnterprise = (of: KeyRecord, day: number) => ({
    ...of,
    ...withLimits({ minute: 1, day }),
    id: validRecord.id,
  })
  const sameId = 'keys[1].id is already used by an earlier key with a different plan or limits'
  const invalidLists = [
    ['an object instead of an array', {}, 'keys must be an array'],
    ['a string instead of a key', [validRecord, 'key'], 'keys[1] must be an object'],
    ['an array instead of a key', [[]], 'keys[0] must be an object'],
    [
      'an id with different plans',
      [validRecord, { ...otherRecord, id: validRecord.id, plan: 'pro' }],
      sameId,
    ],
    ['an id with different limits', [asEnterprise(validRecord, 2), asEnterprise(otherRecord, 3)], sameId],
    [
      'an unknown member',
      [{ ...validRecord, token: 'f' }],
      'unknown member "keys[0].token"; expected one of id, sha256,',
    ],
    [
      'a plain-text key',
      [{ ...validRecord, key: 'f' }],
      'unknown member "keys[0].key"; store its hash in "sha256"',
    ],
    [
      'a repeated hash',
      [validRecord, { ...validRecord, id: 'other' }],
      'keys[1].sha256 is already used by an earlier key',
    ],
  ] as const
  /** Invalid members. */
  const members = [
    ['an empty id', { id: '' }, 'id must be a non-empty string'],
    ['an upper-case hash', { sha256: validRecord.sha256.toUpperCase() }, 'sha256 must be 64'],
    ['a hash followed by a line feed', { sha256: `${validRecord.sha256}\n` }, 'sha256 must be 64'],
    ['a missing plan', { plan: undefined }, 'plan must be one of free, pro, business, enterprise'],
    ['toString as a plan', { plan: 'toString' }, 'plan must be one of'],
    [
      'limits with a fixed plan',
      { limits: { minute: 1, day: 1 } },
      'limits must be { "minute": N, "day": N }',
    ],
    ['enterprise without limits', withLimits(undefined), 'limits must be'],
    ['limits without a day', withLimits({ minute: 1 }), 'limits must be'],
    [
      'a limit above the maximum',
      withLimits({ minute: 1, day: 100_000_001 }),
      'limits must be { "minute": N',
    ],
    ['an invalid expiresAt', { expiresAt: 'never' }, 'expiresAt must be an ISO 8601 time'],
    [
      'a time without a time zone',
      { expiresAt: '2027-01-31T00:00:00' },
      'expiresAt must be an ISO 8601 time',
    ],
    ['30 February', { expiresAt: '2027-02-30T00:00:00Z' }, 'expiresAt must be an ISO 8601 time'],
    ['a label that is not a string', { label: 5 }, 'label must be a string'],
    ['an invalid createdAt', { createdAt: 'once' }, 'createdAt must be an ISO 8601 time'],
    ['an invalid revokedAt', { revokedAt: '' }, 'revokedAt must be an ISO 8601 time'],
  ] as const
  for (const [what, keys, message] of [
    ...invalidLists,
    ...members.map(([what, member, of]) => [what, [{ ...validRecord, ...member }], `keys[0].${of}`] as const),
  ]) {
    it(`rejects ${what}`, () => {
      const uncheckedKeys = keys as readonly KeyRecord[] // invalid input, on purpose
      const isExpectedError = (error: Error) =>
        error instanceof TypeError && error.message.startsWith(message)
      assert.throws(() => createKeyStore(uncheckedKeys), isExpectedError)
    })
  }
})

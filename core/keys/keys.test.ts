import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { digest, sha256 } from '../base/sha256.ts'
import { findByDigest } from './auth.ts'
import { createKeyStore, type KeyRecord } from './keys.ts'

const record = (token: string, more: Partial<KeyRecord> = {}): KeyRecord => ({
  id: `caller of ${token}`,
  sha256: sha256(token),
  plan: 'free',
  ...more,
})

describe('a key store', () => {
  it('finds the caller of each key, with the numbers of the plan', () => {
    const limits = { minute: 7, day: 70 }
    const keys = createKeyStore([record('f'), record('e', { plan: 'enterprise', limits })])
    assert.deepEqual(keys.find('f'), { id: 'caller of f', plan: 'free' })
    assert.deepEqual(keys.find('e'), { id: 'caller of e', plan: 'enterprise', limits })
  })

  it('finds the caller of a key by a digest that was computed before', () => {
    const keys = createKeyStore([record('f')])
    assert.equal(keys[findByDigest](digest('f')), keys.find('f'))
    assert.equal(keys[findByDigest](digest('g')), undefined)
  })

  it('finds no caller for an unknown token, nor for the hash of a key', () => {
    const keys = createKeyStore([record('f')])
    assert.equal(keys.find('g'), undefined)
    assert.equal(keys.find(sha256('f')), undefined)
    assert.equal(createKeyStore([]).find('f'), undefined)
  })

  for (const expiresAt of ['2026-11-20T00:00:00Z', '2026-11-20', '2026-11-20T01:00+01:00']) {
    it(`accepts a key until ${expiresAt}, and no longer`, () => {
      let now = Date.UTC(2026, 10, 20) - 1
      const keys = createKeyStore([record('f', { expiresAt })], { clock: () => now })
      assert.ok(keys.find('f'))
      now += 1
      assert.equal(keys.find('f'), undefined)
    })
  }

  it('has one caller for all keys of an id, in whatever order the members of their limits are', () => {
    const keys = createKeyStore([
      record('old', { id: 'shelter', plan: 'enterprise', limits: { minute: 7, day: 70 }, label: 'old' }),
      record('new', { id: 'shelter', plan: 'enterprise', limits: { day: 70, minute: 7 } }),
    ])
    assert.deepEqual(keys.find('old'), { id: 'shelter', plan: 'enterprise', limits: { minute: 7, day: 70 } })
    assert.equal(keys.find('new'), keys.find('old'))
  })

  it('finds no caller for a revoked key, even if its clock is behind', () => {
    const keys = createKeyStore([
      record('revoked', { createdAt: '2026-11-20', revokedAt: '9999-01-01T00:00:00Z' }),
      record('other', { createdAt: '2026-11-20' }),
    ])
    assert.equal(keys.find('revoked'), undefined)
    assert.ok(keys.find('other'))
  })

  it('accepts another plan for an id whose keys with the old one are revoked', () => {
    const old = record('old', { id: 'shelter', revokedAt: '2026-11-20T00:00:00Z' })
    const current = record('new', { id: 'shelter', plan: 'pro' })
    for (const keys of [createKeyStore([old, current]), createKeyStore([current, old])]) {
      assert.deepEqual(keys.find('new'), { id: 'shelter', plan: 'pro' })
      assert.equal(keys.find('old'), undefined)
    }
  })

  const good = record('f')
  const other = record('g')
  const limited = (limits: unknown) => ({ plan: 'enterprise', limits })
  const lists: readonly (readonly [what: string, keys: unknown, message: string])[] = [
    ['no list', {}, 'keys must be an array'],
    ['null for a list', null, 'keys must be an array'],
    ['no object', [good, 'key'], 'keys[1] must be an object'],
    ['a list for a key', [[]], 'keys[0] must be an object'],
    [
      'an id with two plans',
      [good, { ...other, id: good.id, plan: 'pro' }],
      'keys[1].id is that of an earlier key',
    ],
    [
      'an id with two limits',
      [
        { ...good, ...limited({ minute: 1, day: 2 }) },
        { ...other, id: good.id, ...limited({ minute: 1, day: 3 }) },
      ],
      'keys[1].id is that of an earlier key with another plan or other limits',
    ],
    ['a repeated hash', [good, { ...good, id: 'other' }], 'keys[1].sha256 is that of an earlier key'],
  ]
  /** What makes a good key a bad one, and what the message says of it. */
  const members: readonly (readonly [what: string, members: object, message: string])[] = [
    ['an unknown member', { token: 'f' }, 'token is no member'],
    ['a key in clear', { key: 'f' }, 'key is no member of a key: give its "sha256" instead'],
    ['no id', { id: undefined }, 'id must be a string'],
    ['an empty id', { id: '' }, 'id must be a string'],
    ['a number for an id', { id: 5 }, 'id must be a string'],
    ['a key for a hash', { sha256: 'f' }, 'sha256 must be 64 lower-case'],
    ['an upper-case hash', { sha256: good.sha256.toUpperCase() }, 'sha256 must be 64'],
    ['a hash with something behind it', { sha256: `${good.sha256}\n` }, 'sha256 must be 64'],
    ['no plan', { plan: undefined }, 'plan must be one of free, pro, business, enterprise'],
    ['an unknown plan', { plan: 'gold' }, 'plan must be one of'],
    ['a plan of the prototype', { plan: 'toString' }, 'plan must be one of'],
    ['limits of a fixed plan', { limits: { minute: 1, day: 1 } }, 'limits must be { "minute": N, "day": N }'],
    ['enterprise without limits', limited(undefined), 'limits must be'],
    ['half of the limits', limited({ minute: 1 }), 'limits must be'],
    ['a third limit', limited({ minute: 1, day: 1, hour: 1 }), 'limits must be'],
    ['a limit as text', limited({ minute: '1', day: 1 }), 'limits must be'],
    ['a limit of none', limited({ minute: 0, day: 1 }), 'limits must be'],
    ['half a request', limited({ minute: 1, day: 1.5 }), 'limits must be'],
    ['a limit beyond counting', limited({ minute: 1, day: 104_249_992 }), 'limits must be'],
    ['no time to expire', { expiresAt: 'never' }, 'expiresAt must be an ISO time'],
    ['a number for a time', { expiresAt: 5 }, 'expiresAt must be an ISO time'],
    ['a time without its zone', { expiresAt: '2027-01-31T00:00:00' }, 'expiresAt must be an ISO time'],
    ['30 February', { expiresAt: '2027-02-30T00:00:00Z' }, 'expiresAt must be an ISO time'],
    ['a 13th month', { expiresAt: '2027-13-01' }, 'expiresAt must be an ISO time'],
    ['a label that is no text', { label: 5 }, 'label must be a string'],
    ['a time of issue that is none', { createdAt: 'once' }, 'createdAt must be an ISO time'],
    ['a time of revocation that is none', { revokedAt: '' }, 'revokedAt must be an ISO time'],
  ]
  for (const [what, keys, message] of [
    ...lists,
    ...members.map(([what, member, of]) => [what, [{ ...good, ...member }], `keys[0].${of}`] as const),
  ]) {
    it(`rejects ${what} and names its place`, () => {
      const unchecked = keys as readonly KeyRecord[] // what a file may hold
      const expected = (error: Error) => error instanceof TypeError && error.message.startsWith(message)
      assert.throws(() => createKeyStore(unchecked), expected)
    })
  }

  it('accepts limits up to 100,000,000, and states that bound for a larger one', () => {
    const open = (day: number) =>
      createKeyStore([record('e', { plan: 'enterprise', limits: { minute: 100_000_000, day } })])
    assert.ok(open(100_000_000).find('e'))
    assert.throws(
      () => open(100_000_001),
      /^TypeError: keys\[0\]\.limits must be .* whole numbers from 1 to 100000000/,
    )
  })
})

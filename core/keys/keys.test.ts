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
    const keys = createKeyStore([
      record('f'),
      record('p', { plan: 'pro' }),
      record('b', { plan: 'business' }),
      record('e', { plan: 'enterprise', limits: { minute: 7, day: 70 } }),
    ])
    const found = (token: string) => keys.find(token)
    assert.deepEqual(found('f'), { id: 'caller of f', plan: 'free' })
    assert.deepEqual(found('p'), { id: 'caller of p', plan: 'pro' })
    assert.deepEqual(found('b'), { id: 'caller of b', plan: 'business' })
    assert.deepEqual(found('e'), { id: 'caller of e', plan: 'enterprise', limits: { minute: 7, day: 70 } })
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
  const enterprise = { ...good, plan: 'enterprise' }
  const bad: readonly (readonly [what: string, keys: unknown, message: RegExp])[] = [
    ['no list', {}, /^keys must be an array/],
    ['null for a list', null, /^keys must be an array/],
    ['no object', [good, 'key'], /^keys\[1\] must be an object/],
    ['a list for a key', [[]], /^keys\[0\] must be an object/],
    ['an unknown member', [{ ...good, token: 'f' }], /^keys\[0\]\.token is no member/],
    ['no id', [{ ...good, id: undefined }], /^keys\[0\]\.id must be a string/],
    ['an empty id', [{ ...good, id: '' }], /^keys\[0\]\.id must be a string/],
    ['a number for an id', [{ ...good, id: 5 }], /^keys\[0\]\.id must be a string/],
    [
      'an id with two plans',
      [good, { ...record('g', { plan: 'pro' }), id: good.id }],
      /^keys\[1\]\.id is that of an earlier key with another plan/,
    ],
    [
      'an id with two limits',
      [
        { ...enterprise, limits: { minute: 1, day: 2 } },
        { ...enterprise, sha256: sha256('g'), limits: { minute: 1, day: 3 } },
      ],
      /^keys\[1\]\.id is that of an earlier key with another plan or other limits/,
    ],
    ['a repeated hash', [good, { ...good, id: 'other' }], /^keys\[1\]\.sha256 is that of an earlier key/],
    ['a key in clear', [{ ...good, sha256: 'f' }], /^keys\[0\]\.sha256 must be 64 lower-case/],
    ['an upper-case hash', [{ ...good, sha256: good.sha256.toUpperCase() }], /^keys\[0\]\.sha256 must be 64/],
    [
      'a hash with something behind it',
      [{ ...good, sha256: `${good.sha256}\n` }],
      /^keys\[0\]\.sha256 must be 64/,
    ],
    [
      'no plan',
      [{ ...good, plan: undefined }],
      /^keys\[0\]\.plan must be one of free, pro, business, enterprise/,
    ],
    ['an unknown plan', [{ ...good, plan: 'gold' }], /^keys\[0\]\.plan must be one of/],
    ['a plan of the prototype', [{ ...good, plan: 'toString' }], /^keys\[0\]\.plan must be one of/],
    [
      'limits of a fixed plan',
      [{ ...good, limits: { minute: 1, day: 1 } }],
      /^keys\[0\]\.limits must be .* only with the plan enterprise/,
    ],
    ['enterprise without limits', [enterprise], /^keys\[0\]\.limits must be/],
    ['half of the limits', [{ ...enterprise, limits: { minute: 1 } }], /^keys\[0\]\.limits must be/],
    [
      'a third limit',
      [{ ...enterprise, limits: { minute: 1, day: 1, hour: 1 } }],
      /^keys\[0\]\.limits must be/,
    ],
    ['a limit as text', [{ ...enterprise, limits: { minute: '1', day: 1 } }], /^keys\[0\]\.limits must be/],
    ['a limit of none', [{ ...enterprise, limits: { minute: 0, day: 1 } }], /^keys\[0\]\.limits must be/],
    ['half a request', [{ ...enterprise, limits: { minute: 1, day: 1.5 } }], /^keys\[0\]\.limits must be/],
    [
      'a limit beyond counting',
      [{ ...enterprise, limits: { minute: 1, day: 104_249_992 } }],
      /^keys\[0\]\.limits must be/,
    ],
    ['no time to expire', [{ ...good, expiresAt: 'never' }], /^keys\[0\]\.expiresAt must be an ISO time/],
    ['a number for a time', [{ ...good, expiresAt: 5 }], /^keys\[0\]\.expiresAt must be an ISO time/],
    [
      'a time without its zone',
      [{ ...good, expiresAt: '2027-01-31T00:00:00' }],
      /^keys\[0\]\.expiresAt must be/,
    ],
    [
      '30 February',
      [{ ...good, expiresAt: '2027-02-30T00:00:00Z' }],
      /^keys\[0\]\.expiresAt must be an ISO time/,
    ],
    ['a label that is no text', [{ ...good, label: 5 }], /^keys\[0\]\.label must be a string/],
    [
      'a time of issue that is none',
      [{ ...good, createdAt: 'once' }],
      /^keys\[0\]\.createdAt must be an ISO/,
    ],
    [
      'a time of revocation that is none',
      [{ ...good, revokedAt: '' }],
      /^keys\[0\]\.revokedAt must be an ISO/,
    ],
    ['a 13th month', [{ ...good, expiresAt: '2027-13-01' }], /^keys\[0\]\.expiresAt must be an ISO time/],
  ]
  for (const [what, keys, message] of bad) {
    it(`rejects ${what} and names its place`, () => {
      const unchecked = keys as readonly KeyRecord[] // what a file may hold
      assert.throws(() => createKeyStore(unchecked), { name: 'TypeError', message })
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

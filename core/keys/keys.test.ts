import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sha256 } from '../base/sha256.ts'
import { heldClock } from '../testing/traffic.ts'
import { createKeyStore, type KeyRecord } from './keys.ts'

const record = (token: string, more: Partial<KeyRecord> = {}): KeyRecord => ({
  id: `caller of ${token}`,
  sha256: sha256(token),
  plan: 'free',
  ...more,
})

describe('a key store', () => {
  it('finds callers by token or hash, but not by a hash as token', () => {
    const limits = { minute: 7, day: 70 }
    const keys = createKeyStore([record('f'), record('e', { plan: 'enterprise', limits })])
    assert.deepEqual(keys.find('f'), { id: 'caller of f', plan: 'free' })
    assert.deepEqual(keys.find('e'), { id: 'caller of e', plan: 'enterprise', limits })
    assert.equal(keys.find('f', sha256('f')), keys.find('f'))
    for (const token of ['g', sha256('f')]) assert.equal(keys.find(token), undefined)
    assert.equal(createKeyStore([]).find('f'), undefined)
  })

  it('rejects an invalid clock', () => {
    const clock = () => Number.NaN
    assert.throws(() => createKeyStore([], { clock }), /^TypeError: options\.clock must return milliseconds/)
  })

  it('accepts a key until it expires, and no longer', () => {
    for (const expiresAt of ['2026-11-20T00:00:00Z', '2026-11-20', '2026-11-20T01:00+01:00']) {
      const { clock, pass } = heldClock(Date.UTC(2026, 10, 20) - 1)
      const keys = createKeyStore([record('f', { expiresAt })], { clock })
      assert.ok(keys.find('f'), expiresAt)
      pass(1)
      assert.equal(keys.find('f'), undefined, expiresAt)
    }
  })

  it('has one caller for all keys of an id', () => {
    const keys = createKeyStore([
      record('old', { id: 'shelter', plan: 'enterprise', limits: { minute: 7, day: 70 }, label: 'old' }),
      record('new', { id: 'shelter', plan: 'enterprise', limits: { day: 70, minute: 7 } }),
    ])
    assert.deepEqual(keys.find('old'), { id: 'shelter', plan: 'enterprise', limits: { minute: 7, day: 70 } })
    assert.equal(keys.find('new'), keys.find('old'))
  })

  it('finds no revoked key, whose id may have another plan now', () => {
    const old = record('old', { id: 'shelter', revokedAt: '9999-01-01T00:00:00Z' })
    const current = record('new', { id: 'shelter', plan: 'pro', createdAt: '2026-11-20' })
    for (const keys of [createKeyStore([old, current]), createKeyStore([current, old])]) {
      assert.deepEqual(keys.find('new'), { id: 'shelter', plan: 'pro' })
      assert.equal(keys.find('old'), undefined)
    }
  })

  const good = record('f')
  const other = record('g')
  const limited = (limits: unknown) => ({ plan: 'enterprise', limits })
  const enterprise = (of: KeyRecord, day: number) => ({ ...of, ...limited({ minute: 1, day }), id: good.id })
  const sameId = 'keys[1].id is also the id of an earlier key with another plan or other limits'
  const lists = [
    ['no list', {}, 'keys must be an array'],
    ['no object', [good, 'key'], 'keys[1] must be an object'],
    ['a list for a key', [[]], 'keys[0] must be an object'],
    ['an id with two plans', [good, { ...other, id: good.id, plan: 'pro' }], sameId],
    ['an id with two limits', [enterprise(good, 2), enterprise(other, 3)], sameId],
    ['a repeated hash', [good, { ...good, id: 'other' }], 'keys[1].sha256 repeats an earlier key'],
  ] as const
  /** Changes that make a valid key invalid, and the start of the message. */
  const members = [
    ['an unknown member', { token: 'f' }, 'token is not a member'],
    ['a key in clear', { key: 'f' }, 'key is not a member of a key: give its "sha256" instead'],
    ['an empty id', { id: '' }, 'id must be a string'],
    ['an upper-case hash', { sha256: good.sha256.toUpperCase() }, 'sha256 must be 64'],
    ['a hash with something behind it', { sha256: `${good.sha256}\n` }, 'sha256 must be 64'],
    ['no plan', { plan: undefined }, 'plan must be one of free, pro, business, enterprise'],
    ['a plan of the prototype', { plan: 'toString' }, 'plan must be one of'],
    ['limits of a fixed plan', { limits: { minute: 1, day: 1 } }, 'limits must be { "minute": N, "day": N }'],
    ['enterprise without limits', limited(undefined), 'limits must be'],
    ['half of the limits', limited({ minute: 1 }), 'limits must be'],
    ['a limit beyond counting', limited({ minute: 1, day: 100_000_001 }), 'limits must be { "minute": N'],
    ['no time to expire', { expiresAt: 'never' }, 'expiresAt must be an ISO time'],
    ['a time without its zone', { expiresAt: '2027-01-31T00:00:00' }, 'expiresAt must be an ISO time'],
    ['30 February', { expiresAt: '2027-02-30T00:00:00Z' }, 'expiresAt must be an ISO time'],
    ['a label that is no text', { label: 5 }, 'label must be a string'],
    ['a time of issue that is none', { createdAt: 'once' }, 'createdAt must be an ISO time'],
    ['a time of revocation that is none', { revokedAt: '' }, 'revokedAt must be an ISO time'],
  ] as const
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
})

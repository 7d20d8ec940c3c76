import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ExpiringMap } from './expiring-map.ts'

describe('ExpiringMap', () => {
  it('drops expired entries while new ones are added', () => {
    const values = new ExpiringMap<number>()
    values.set('first', 1, 0, 60)
    values.set('a', 2, 60, 120)
    values.set('b', 3, 61, 121)
    assert.equal(values.get('a'), 2)
    values.set('a', 4, 100, 160)
    for (let now = 122; now <= 400; now += 60) values.set('later', now, now, now + 60)
    assert.equal(values.get('a'), undefined)
  })

  it('keeps an entry until it expires', () => {
    const values = new ExpiringMap<string>()
    const entries = { first: [0, 60], a: [1, 200], b: [2, 70], c: [61, 121], d: [71, 131] } as const
    for (const [name, [now, endsAt]] of Object.entries(entries)) values.set(name, name, now, endsAt)
    assert.equal(values.get('a'), 'a')
  })

  it('deletes an entry that was replaced', () => {
    const values = new ExpiringMap<number>()
    values.set('a', 1, 0, 60)
    values.set('b', 2, 1, 61)
    values.set('a', 3, 2, 62)
    values.delete('a')
    assert.equal(values.get('a'), undefined)
  })

  it('counts a replaced entry once', () => {
    const values = new ExpiringMap<number>()
    values.set('first', 1, 0, 60)
    for (const name of ['a', 'b', 'a', 'first']) values.set(name, 1, 1, 61)
    assert.equal(values.size, 3)
    for (const now of [60, 61, 61]) values.expire(now)
    assert.equal(values.size, 0)
  })

  it('expires entries after the clock was set back', () => {
    const values = new ExpiringMap<number>()
    values.set('a', 1, 1_000_000, 1_000_060)
    values.expire(1_000_000 - 2_000)
    values.expire(10)
    values.expire(69)
    assert.equal(values.size, 1)
    for (let i = 0; i < 2; i++) values.expire(70)
    assert.equal(values.size, 0)
  })

  it('evicts the oldest entries above its maximum size', () => {
    const values = new ExpiringMap<number>(500)
    for (let i = 0; i <= 500; i++) values.set(`${i}`, i, 0, 60)
    assert.equal(values.get('0'), 0)
    for (let i = 501; i <= 1_000; i++) values.set(`${i}`, i, 0, 60)
    assert.equal(values.get('0'), undefined)
  })

  it('replaces an entry without evicting others when it is full', () => {
    const values = new ExpiringMap<number>(2)
    for (const name of ['first', 'a', 'b', 'c', 'd']) values.set(name, 1, 0, 60)
    values.set('d', 2, 0, 60)
    assert.equal(values.size, 4)
  })
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { limitsOf, plans } from '../plans.ts'
import { epoch } from '../testing/traffic.ts'
import type { BanPolicy } from './bans.ts'
import { createMemoryLimiter, type MemoryLimiterOptions } from './memory-limiter.ts'

const free = limitsOf(plans.free)
const dayMs = 86_400_000

function limiterAt(options: Omit<MemoryLimiterOptions, 'clock'> = {}) {
  let now = epoch
  const limiter = createMemoryLimiter({ ...options, clock: () => now })
  return {
    limiter,
    pass(ms: number) {
      now += ms
    },
    ask: (key: string) => limiter.consume(key, free),
    spend(key: string) {
      for (let i = 0; i < 60; i++) assert.ok(limiter.consume(key, free).allowed)
      assert.ok(!limiter.consume(key, free).allowed)
    },
  }
}

describe('the limiter in memory', () => {
  it('keeps each key apart', () => {
    const { ask, spend } = limiterAt()
    spend('key:a')
    assert.ok(ask('key:b').allowed)
    assert.ok(ask('address:a').allowed)
  })

  it('keeps nothing of who only looks', () => {
    const { limiter } = limiterAt()
    assert.equal(limiter.consume('address:a', free, 0).remaining, 60)
    assert.equal(limiter.size, 0)
  })

  it('gives a key the numbers of the limits that it comes with', () => {
    const { limiter, spend } = limiterAt()
    spend('key:a')
    const { allowed, limit } = limiter.consume('key:a', limitsOf(plans.pro))
    assert.deepEqual([allowed, limit], [true, 300])
  })

  it('bans a key with its hundredth counted rejection, and an address likewise', () => {
    for (const key of ['key:a', 'address:a']) {
      const { ask, pass, spend } = limiterAt()
      spend(key)
      for (let i = 0; i < 1_000; i++) assert.ok(!ask(key).banned)
      pass(1_000)
      for (let i = 0; i < 98; i++) assert.ok(!ask(key).banned)
      assert.ok(ask(key).banned)
    }
  })

  it('bans by the policy given, the parts left out being those of the default', () => {
    const { ask, spend, pass } = limiterAt({ ban: { refusals: 2 } })
    spend('key:a')
    pass(1_000)
    assert.deepEqual([ask('key:a').waitMs, ask('key:a').banned], [900_000, true])
    pass(900_000)
    assert.ok(ask('key:a').allowed)
  })

  it('bans no key where bans are off', () => {
    const { ask, pass, spend } = limiterAt({ ban: false })
    spend('key:a')
    pass(1_000)
    for (let i = 0; i < 200; i++) assert.ok(!ask('key:a').banned)
  })

  it('stays under its cap in a flood of addresses, and frees no refused caller', () => {
    const { limiter, ask, spend } = limiterAt()
    spend('address:victim')
    spend('key:caller')
    for (let i = 0; i < 1_000_000; i++) limiter.consume(`address:${i}`, free)
    assert.equal(limiter.size, 100_000 + 1)
    assert.ok(!ask('address:victim').allowed)
    assert.ok(!ask('key:caller').allowed)
    assert.ok(ask('key:newcomer').allowed)
  })

  it('lets the addresses beyond its cap share one bucket, which is never banned', () => {
    const { ask, pass, limiter } = limiterAt({ maxAddresses: 2 })
    for (const key of ['address:a', 'address:b']) assert.ok(ask(key).allowed)
    for (let i = 0; i < 60; i++) assert.ok(ask(`address:late${i}`).allowed)
    assert.ok(!ask('address:c').allowed)
    pass(1_000)
    for (let i = 0; i < 200; i++) assert.equal(ask('address:c').banned, false)
    assert.equal(limiter.consume('address:d', free, 0).remaining, 0)
    assert.ok(ask('address:a').allowed)
    assert.equal(limiter.size, 2)
  })

  it('counts all addresses together where it may keep none', () => {
    const { limiter, ask } = limiterAt({ maxAddresses: 0 })
    for (let i = 0; i < 60; i++) assert.ok(ask(`address:${i}`).allowed)
    assert.ok(!ask('address:x').allowed)
    assert.equal(limiter.size, 0)
  })

  it('shrinks again, as others come, once what it keeps counts no longer', () => {
    const { limiter, ask, pass } = limiterAt({ maxAddresses: 500 })
    for (let i = 0; i < 1_000; i++) ask(`address:${i}`)
    assert.equal(limiter.size, 500)
    pass(dayMs)
    for (let i = 0; i < 600; i++) ask(`key:${i % 3}${i}`)
    assert.ok(limiter.size <= 600)
    assert.ok(ask('address:new').allowed)
    assert.equal(limiter.consume('address:other', free, 0).remaining, 60)
  })

  it('shrinks likewise after a clock has stepped back', () => {
    const { limiter, ask, pass } = limiterAt({ maxAddresses: 500 })
    for (let i = 0; i < 500; i++) ask(`address:${i}`)
    pass(-365 * dayMs)
    for (let i = 0; i < 500; i++) ask(`address:early${i}`)
    pass(dayMs)
    for (let i = 0; i < 500; i++) ask(`address:next${i}`)
    assert.ok(limiter.size <= 500)
    assert.equal(limiter.consume('address:unseen', free, 0).remaining, 60)
  })

  it('drops neither a ban nor its doubling while they count', () => {
    const { ask, spend, pass } = limiterAt({ ban: { refusals: 1, rememberMs: 3 * dayMs } })
    spend('address:a')
    pass(2 * dayMs)
    for (let i = 0; i < 100; i++) ask(`address:${i}`)
    spend('address:a')
    assert.equal(ask('address:a').waitMs, 30 * 60_000)
  })

  it('keeps what counts by the limits that a key came with last', () => {
    const { limiter, ask, pass } = limiterAt()
    const minute = { requests: 5, windowMs: 60_000 }
    const both = [minute, { requests: 1, windowMs: dayMs }]
    limiter.consume('key:a', [minute])
    assert.ok(limiter.consume('key:a', both).allowed)
    pass(120_000)
    for (let i = 0; i < 100; i++) ask(`address:${i}`)
    assert.ok(!limiter.consume('key:a', both).allowed)
  })

  it('drops an entry only when nobody can tell it from none', () => {
    const { ask, pass } = limiterAt()
    for (let i = 0; i < 59; i++) ask('address:a')
    pass(59_999)
    for (let i = 0; i < 100; i++) ask(`address:${i}`)
    assert.ok(ask('address:a').remaining < 59)
  })

  const bad: readonly (readonly [options: object, message: RegExp])[] = [
    [{ maxAddresses: -1 }, /options\.maxAddresses/],
    [{ maxAddresses: 1.5 }, /options\.maxAddresses/],
    [{ maxAddresses: '5' }, /options\.maxAddresses/],
    [{ clock: 5 }, /options\.clock/],
    [{ ban: true }, /options\.ban/],
    [{ ban: { refusals: 0 } }, /options\.ban\.refusals/],
    [{ ban: { refusals: 1.5 } }, /options\.ban\.refusals/],
    [{ ban: { refusals: 10_001 } }, /options\.ban\.refusals must be at most 10000/],
    [{ ban: { withinMs: Number.NaN } }, /options\.ban\.withinMs/],
    [{ ban: { firstMs: 0 } }, /options\.ban\.firstMs/],
    [{ ban: { longestMs: -1 } }, /options\.ban\.longestMs/],
    [{ ban: { rememberMs: '1 day' } }, /options\.ban\.rememberMs/],
  ]
  for (const [options, message] of bad) {
    it(`refuses ${JSON.stringify(options)} and names the option`, () => {
      assert.throws(() => createMemoryLimiter(options), { name: 'TypeError', message })
    })
  }

  it('takes an option that is undefined as left out', () => {
    const ban = { refusals: undefined } as unknown as Partial<BanPolicy> // what an embedder without exact types may give
    const { ask, pass, spend } = limiterAt({ ban })
    spend('key:a')
    pass(1_000)
    assert.ok(!ask('key:a').banned)
  })

  it('refuses limits that it cannot count exactly', () => {
    const { limiter } = limiterAt()
    assert.throws(() => limiter.consume('key:a', [{ requests: 0, windowMs: 1 }]), RangeError)
  })
})

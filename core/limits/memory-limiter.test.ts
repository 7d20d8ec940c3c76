import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { epoch } from '../testing/traffic.ts'
import type { BanPolicy } from './bans.ts'
import { createMemoryLimiter, type MemoryLimiterOptions } from './memory-limiter.ts'
import { limitsOf, plans } from './plans.ts'

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
  it('stores nothing for a peek', () => {
    const { limiter } = limiterAt()
    assert.equal(limiter.peek('address:a', free).remaining, 60)
    assert.equal(limiter.size, 0)
  })

  it('bans by the policy given, the parts left out being those of the default', () => {
    const { ask, spend, pass } = limiterAt({ ban: { refusals: 2 } })
    spend('key:a')
    pass(1_000)
    assert.deepEqual([ask('key:a').waitMs, ask('key:a').banned], [900_000, true])
    pass(900_000)
    assert.ok(ask('key:a').allowed)
  })

  it('stays under its cap in a flood of addresses, and frees no key that is rejected', () => {
    const { limiter, ask, spend } = limiterAt()
    spend('address:victim')
    spend('key:caller')
    for (let i = 0; i < 1_000_000; i++) limiter.consume(`address:${i}`, free)
    assert.equal(limiter.size, 100_000 + 2)
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
    assert.equal(limiter.peek('address:d', free).remaining, 0)
    assert.ok(ask('address:a').allowed)
    assert.equal(limiter.size, 3)
  })

  it('lets one IPv6 /48 fill no more than a quarter of its table', () => {
    const { ask, limiter } = limiterAt({ maxAddresses: 100 })
    const network = (i: number) => `address:20010db80001${i.toString(16).padStart(4, '0')}::/64`
    for (let i = 0; i < 1_000; i++) ask(network(i))
    assert.equal(limiter.size, 26)
    assert.ok(!ask(network(1_000)).allowed)
    for (const other of ['address:192.0.2.1', 'address:20010db800020000::/64'])
      assert.equal(ask(other).remaining, 59)
    assert.equal(ask(network(0)).remaining, 58)
  })

  it('counts all addresses together if it may store none', () => {
    const { limiter, ask } = limiterAt({ maxAddresses: 0 })
    for (let i = 0; i < 60; i++) assert.ok(ask(`address:${i}`).allowed)
    assert.ok(!ask('address:x').allowed)
    assert.equal(limiter.size, 1)
  })

  it('drops entries that count no longer when other keys arrive', () => {
    const { limiter, ask, pass } = limiterAt({ maxAddresses: 500 })
    for (let i = 0; i < 1_000; i++) ask(`address:${i}`)
    assert.equal(limiter.size, 501)
    pass(dayMs)
    for (let i = 0; i < 600; i++) ask(`key:${i % 3}${i}`)
    assert.ok(limiter.size <= 600)
    assert.ok(ask('address:new').allowed)
    assert.equal(limiter.peek('address:other', free).remaining, 60)
  })

  it('drops them also after the clock has stepped back', () => {
    const { limiter, ask, pass } = limiterAt({ maxAddresses: 500 })
    for (let i = 0; i < 500; i++) ask(`address:${i}`)
    pass(-365 * dayMs)
    for (let i = 0; i < 500; i++) ask(`address:early${i}`)
    pass(dayMs)
    for (let i = 0; i < 500; i++) ask(`address:next${i}`)
    assert.ok(limiter.size <= 500)
    assert.equal(limiter.peek('address:unseen', free).remaining, 60)
  })

  it('drops neither a ban nor its doubling while they count', () => {
    const { ask, spend, pass } = limiterAt({ ban: { refusals: 1, rememberMs: 3 * dayMs } })
    spend('address:a')
    pass(2 * dayMs)
    for (let i = 0; i < 100; i++) ask(`address:${i}`)
    spend('address:a')
    assert.equal(ask('address:a').waitMs, 30 * 60_000)
  })

  it('stores an entry for as long as the last limits of its key require', () => {
    const { limiter, ask, pass } = limiterAt()
    const minute = { requests: 5, windowMs: 60_000 }
    const both = [minute, { requests: 1, windowMs: dayMs }]
    limiter.consume('key:a', [minute])
    assert.ok(limiter.consume('key:a', both).allowed)
    pass(120_000)
    for (let i = 0; i < 100; i++) ask(`address:${i}`)
    assert.ok(!limiter.consume('key:a', both).allowed)
  })

  it('drops an entry only when it is the same as a new one', () => {
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
    [{ maxAddress: 5 }, /options\.maxAddress is no option: there are clock, maxAddresses, ban/],
    [{ ban: { refusal: 5 } }, /options\.ban\.refusal is no option: there are refusals, /],
    [{ ban: true }, /options\.ban/],
    [{ ban: { refusals: 0 } }, /options\.ban\.refusals/],
    [{ ban: { refusals: 1.5 } }, /options\.ban\.refusals/],
    [
      { ban: { refusals: 10_001 } },
      /options\.ban\.refusals must be a whole number from 1, refusals at most 10000/,
    ],
    [{ ban: { withinMs: Number.NaN } }, /options\.ban\.withinMs/],
    [{ ban: { firstMs: 0 } }, /options\.ban\.firstMs/],
    [{ ban: { longestMs: -1 } }, /options\.ban\.longestMs/],
    [{ ban: { rememberMs: '1 day' } }, /options\.ban\.rememberMs/],
  ]
  for (const [options, message] of bad) {
    it(`rejects ${JSON.stringify(options)} and names the option`, () => {
      assert.throws(() => createMemoryLimiter(options), { name: 'TypeError', message })
    })
  }

  it('treats an option that is undefined as left out', () => {
    const ban = { refusals: undefined } as unknown as Partial<BanPolicy> // what an embedder without exact types may give
    const { ask, pass, spend } = limiterAt({ ban })
    spend('key:a')
    pass(1_000)
    assert.ok(!ask('key:a').banned)
  })
})

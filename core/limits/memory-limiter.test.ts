import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { heldClock } from '../testing/traffic.ts'
import type { BanPolicy } from './bans.ts'
import { createMemoryLimiter, type MemoryLimiterOptions } from './memory-limiter.ts'
import { plans, toLimits } from './plans.ts'

const free = toLimits(plans.free)
const dayMs = 86_400_000

function limiterAt(options: Omit<MemoryLimiterOptions, 'clock'> = {}) {
  const { clock, pass } = heldClock()
  const limiter = createMemoryLimiter({ ...options, clock })
  return {
    limiter,
    pass,
    ask: (key: string) => limiter.consume(key, free),
    spend(key: string) {
      for (let i = 0; i < 60; i++) assert.ok(limiter.consume(key, free).allowed)
      assert.ok(!limiter.consume(key, free).allowed)
    },
  }
}

describe('the memory limiter', () => {
  it('fills in the ban policy with defaults', () => {
    const ban = { rejections: 2, firstMs: undefined } as unknown as Partial<BanPolicy> // as without exact types
    const { ask, spend, pass } = limiterAt({ ban })
    spend('key:a')
    pass(1_000)
    assert.deepEqual([ask('key:a').waitMs, ask('key:a').banned], [900_000, true])
    pass(900_000)
    assert.ok(ask('key:a').allowed)
  })

  it('stays under its cap in a flood of addresses, and drops no rejected key', () => {
    const { limiter, ask, spend } = limiterAt()
    spend('address:victim')
    spend('key:caller')
    for (let i = 0; i < 1_000_000; i++) limiter.consume(`address:${i}`, free)
    assert.equal(limiter.size, 100_000 + 2)
    assert.ok(!ask('address:victim').allowed)
    assert.ok(!ask('key:caller').allowed)
    assert.ok(ask('key:newcomer').allowed)
  })

  for (const maxAddresses of [0, 2])
    it(`shares a bucket, without bans, beyond ${maxAddresses} addresses`, () => {
      const { ask, pass, limiter } = limiterAt({ maxAddresses })
      for (let i = 0; i < maxAddresses + 60; i++) assert.ok(ask(`address:${i}`).allowed)
      assert.ok(!ask('address:c').allowed)
      pass(1_000)
      for (let i = 0; i < 200; i++) assert.equal(ask('address:c').banned, false)
      assert.equal(limiter.peek('address:d', free).remaining, 0)
      if (maxAddresses > 0) assert.ok(ask('address:0').allowed)
      assert.equal(limiter.size, maxAddresses + 1)
    })

  it('lets one IPv6 /48 fill at most 25 % of its table', () => {
    const { ask, limiter } = limiterAt({ maxAddresses: 100 })
    const network = (i: number) => `address:20010db80001${i.toString(16).padStart(4, '0')}::/64`
    for (let i = 0; i < 1_000; i++) ask(network(i))
    assert.equal(limiter.size, 26)
    assert.ok(!ask(network(1_000)).allowed)
    for (const other of ['address:192.0.2.1', 'address:20010db800020000::/64'])
      assert.equal(ask(other).remaining, 59)
    assert.equal(ask(network(0)).remaining, 58)
  })

  for (const stepMs of [dayMs, -365 * dayMs])
    it(`drops accounts that expired ${stepMs / dayMs} days ago for other keys`, () => {
      const { limiter, ask, pass } = limiterAt({ maxAddresses: 500 })
      for (let i = 0; i < 1_000; i++) ask(`address:${i}`)
      assert.equal(limiter.size, 501)
      pass(stepMs)
      for (let i = 0; i < 600; i++) ask(`key:${i}`)
      pass(dayMs)
      for (let i = 0; i < 600; i++) ask(`key:next${i}`)
      assert.ok(limiter.size < 1_000, `${limiter.size}`)
      const { size } = limiter
      assert.equal(limiter.peek('address:other', free).remaining, 60)
      assert.ok(limiter.size <= size, 'a peek stores nothing')
      for (const key of ['address:a', 'address:b']) assert.equal(ask(key).remaining, 59)
    })

  it('keeps a ban and its doubling as long as they count', () => {
    const { ask, spend, pass } = limiterAt({ ban: { rejections: 1, rememberMs: 3 * dayMs } })
    spend('address:a')
    pass(2 * dayMs)
    for (let i = 0; i < 100; i++) ask(`address:${i}`)
    spend('address:a')
    assert.equal(ask('address:a').waitMs, 30 * 60_000)
  })

  const whole = ['rejections', 'withinMs', 'firstMs', 'longestMs', 'rememberMs']
  const bad = [
    [{ clock: () => Number.NaN }, /^options\.clock must return milliseconds/],
    [{ maxAddresses: -1 }, /options\.maxAddresses/],
    [{ maxAddresses: 1.5 }, /options\.maxAddresses/],
    [{ maxAddress: 5 }, /unknown option "options\.maxAddress"; expected one of clock, maxAddresses, ban/],
    [{ ban: { rejection: 5 } }, /unknown option "options\.ban\.rejection"; expected one of rejections, /],
    [{ ban: true }, /options\.ban/],
    [{ ban: { rejections: 10_001 } }, /options\.ban\.rejections must be .* from 1, rejections at most 10000/],
    ...whole.map((name) => [{ ban: { [name]: 0 } }, new RegExp(`options\\.ban\\.${name}`)] as const),
  ] as const
  for (const [options, message] of bad) {
    it(`names the invalid option of ${JSON.stringify(options)}`, () => {
      const limiter = () => createMemoryLimiter(options as object) // what an embedder without types may give
      assert.throws(limiter, { name: 'TypeError', message })
    })
  }
})

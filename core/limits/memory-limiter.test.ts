import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createTestClock } from '../testing/test-clock.ts'
import type { BanPolicy } from './bans.ts'
import { createMemoryLimiter, type MemoryLimiterOptions } from './memory-limiter.ts'
import { plans, toLimits } from './plans.ts'

const freeLimits = toLimits(plans.free)
const dayMs = 86_400_000

function createTestLimiter(options: Omit<MemoryLimiterOptions, 'clock'> = {}) {
  const { clock, advance } = createTestClock()
  const limiter = createMemoryLimiter({ ...options, clock })
  return {
    limiter,
    advance,
    consume: (key: string) => limiter.consume(key, freeLimits),
    exhaust(key: string) {
      for (let i = 0; i < 60; i++) assert.ok(limiter.consume(key, freeLimits).allowed)
      assert.ok(!limiter.consume(key, freeLimits).allowed)
    },
  }
}

describe('the memory limiter', () => {
  it('uses the default for a ban option that is undefined', () => {
    // The value is undefined instead of absent, on purpose.
    const ban = { rejections: 2, firstBanMs: undefined } as unknown as Partial<BanPolicy>
    const { consume, exhaust, advance } = createTestLimiter({ ban })
    exhaust('key:a')
    advance(1_000)
    assert.deepEqual([consume('key:a').waitMs, consume('key:a').banned], [900_000, true])
    advance(900_000)
    assert.ok(consume('key:a').allowed)
  })

  it('remembers rejected addresses and callers during a flood', () => {
    const { limiter, consume, exhaust } = createTestLimiter()
    exhaust('address:victim')
    exhaust('key:caller')
    for (let i = 0; i < 1_000_000; i++) limiter.consume(`address:${i}`, freeLimits)
    assert.equal(limiter.size, 75_000 + 2)
    assert.ok(!consume('address:victim').allowed)
    assert.ok(!consume('key:caller').allowed)
    assert.ok(consume('key:newcomer').allowed)
  })

  for (const maxAddresses of [0, 2])
    it(`shares one bucket among all addresses beyond ${maxAddresses} maxAddresses`, () => {
      const { consume, advance, limiter } = createTestLimiter({ maxAddresses })
      for (let i = 0; i < maxAddresses + 60; i++) assert.ok(consume(`address:${i}`).allowed)
      assert.ok(!consume('address:c').allowed)
      advance(1_000)
      for (let i = 0; i < 200; i++) assert.equal(consume('address:c').banned, false)
      assert.equal(limiter.peek('address:d', freeLimits).remaining, 0)
      if (maxAddresses > 0) assert.ok(consume('address:0').allowed)
      assert.equal(limiter.size, maxAddresses + 1)
    })

  it('shares one bucket per IPv6 /48 when the table is 25 % full', () => {
    const { consume, limiter } = createTestLimiter({ maxAddresses: 100 })
    const network = (i: number) => `address:20010db80001${i.toString(16).padStart(4, '0')}::/64`
    for (let i = 0; i < 1_000; i++) consume(network(i))
    assert.equal(limiter.size, 26)
    assert.ok(!consume(network(1_000)).allowed)
    for (const other of ['address:192.0.2.1', 'address:20010db800020000::/64'])
      assert.equal(consume(other).remaining, 59)
    assert.equal(consume(network(0)).remaining, 58)
  })

  for (const stepMs of [dayMs, -365 * dayMs])
    it(`drops expired accounts after the clock moves by ${stepMs / dayMs} days`, () => {
      const { limiter, consume, advance } = createTestLimiter({ maxAddresses: 500 })
      for (let i = 0; i < 1_000; i++) consume(`address:${i}`)
      assert.equal(limiter.size, 501)
      advance(stepMs)
      for (let i = 0; i < 600; i++) consume(`key:${i}`)
      advance(dayMs)
      for (let i = 0; i < 600; i++) consume(`key:next${i}`)
      assert.ok(limiter.size < 1_000, `${limiter.size}`)
      const { size } = limiter
      assert.equal(limiter.peek('address:other', freeLimits).remaining, 60)
      assert.ok(limiter.size <= size, 'a peek stores nothing')
      for (const key of ['address:a', 'address:b']) assert.equal(consume(key).remaining, 59)
    })

  it('remembers a ban until resetAfterMs has passed', () => {
    const { consume, exhaust, advance } = createTestLimiter({
      ban: { rejections: 1, resetAfterMs: 3 * dayMs },
    })
    exhaust('address:a')
    advance(2 * dayMs)
    for (let i = 0; i < 100; i++) consume(`address:${i}`)
    exhaust('address:a')
    assert.equal(consume('address:a').waitMs, 30 * 60_000)
  })

  const banMembers = ['rejections', 'windowMs', 'firstBanMs', 'maxBanMs', 'resetAfterMs']
  const invalidOptions = [
    [{ clock: () => Number.NaN }, /^options\.clock must return milliseconds/],
    [{ maxAddresses: -1 }, /options\.maxAddresses/],
    [{ maxAddresses: 1.5 }, /options\.maxAddresses/],
    [{ maxAddress: 5 }, /unknown option "options\.maxAddress"; expected one of clock, maxAddresses, ban/],
    [{ ban: { rejection: 5 } }, /unknown option "options\.ban\.rejection"; expected one of rejections, /],
    [{ ban: true }, /options\.ban/],
    [{ ban: { rejections: 10_001 } }, /options\.ban\.rejections must be an integer from 1 to 10000$/],
    ...banMembers.map((name) => [{ ban: { [name]: 0 } }, new RegExp(`options\\.ban\\.${name}`)] as const),
  ] as const
  for (const [options, message] of invalidOptions) {
    it(`rejects the options ${JSON.stringify(options)}`, () => {
      const limiter = () => createMemoryLimiter(options as object) // invalid input, on purpose
      assert.throws(limiter, { name: 'TypeError', message })
    })
  }
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { holds } from '../testing/holds.ts'
import { epoch } from '../testing/traffic.ts'
import { type Account, accountEmptyAt, createAccount, decide, peekAccount } from './account.ts'
import { type BanPolicy, defaultBanPolicy } from './bans.ts'
import type { Decision } from './bucket.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const limits = [{ requests: 1, windowMs: 90 * 24 * hourMs }]

/** An account that has used its whole limit, so that every further request is rejected. */
function spent(): Account {
  const account = createAccount(limits, epoch)
  assert.ok(decide(account, limits, defaultBanPolicy, epoch).allowed)
  return account
}

/** Has a number of requests rejected, and returns the last decision. */
function rejectTimes(account: Account, count: number, now: number): Decision {
  let last: Decision | undefined
  for (let i = 0; i < count; i++) last = decide(account, limits, defaultBanPolicy, now)
  assert.ok(last && !last.allowed)
  return last
}

describe('a ban', () => {
  it('starts with the hundredth rejection within a minute, and that decision shows it', () => {
    const account = spent()
    for (let i = 1; i < 100; i++) {
      assert.ok(!decide(account, limits, defaultBanPolicy, epoch + i * 600).banned, `rejection ${i}`)
    }
    const now = epoch + minuteMs
    const until = now + 15 * minuteMs
    assert.deepEqual(decide(account, limits, defaultBanPolicy, now), {
      allowed: false,
      banned: true,
      limit: 1,
      remaining: 0,
      reset: until / 1000,
      waitMs: 15 * minuteMs,
    })
  })

  it('never starts if no minute holds a hundred rejections', () => {
    const account = spent()
    for (let i = 1; i < 1_000; i++) {
      assert.ok(!decide(account, limits, defaultBanPolicy, epoch + i * 607).banned, `rejection ${i}`)
    }
  })

  it('does not count a rejection that is a whole minute old', () => {
    const account = spent()
    rejectTimes(account, 1, epoch)
    rejectTimes(account, 98, epoch + 1)
    assert.ok(!rejectTimes(account, 1, epoch + minuteMs).banned)
    assert.ok(rejectTimes(account, 1, epoch + minuteMs).banned)
  })

  it('never starts without a policy', () => {
    const account = spent()
    for (let i = 0; i < 500; i++) assert.ok(!decide(account, limits, undefined, epoch).banned)
    assert.equal(account.ban, undefined)
  })

  it('is not extended by requests that it rejects, and does not count them', () => {
    const account = spent()
    rejectTimes(account, 100, epoch)
    for (let i = 1; i < 900; i++) {
      const { waitMs } = rejectTimes(account, 1, epoch + i * 1_000)
      assert.equal(waitMs, 15 * minuteMs - i * 1_000)
    }
    const after = epoch + 15 * minuteMs
    assert.ok(!rejectTimes(account, 99, after).banned)
    assert.ok(rejectTimes(account, 1, after).banned)
  })

  it('ignores rejections during it that were made without the limiter', () => {
    const account = spent()
    rejectTimes(account, 100, epoch)
    assert.equal(
      decide(account, limits, defaultBanPolicy, epoch + 1_000, 5_000).waitMs,
      15 * minuteMs - 1_000,
    )
    assert.ok(!rejectTimes(account, 99, epoch + 15 * minuteMs).banned)
  })

  it('charges nothing while it lasts', () => {
    const both = [...limits.map((limit) => ({ ...limit, requests: 5 })), { requests: 1, windowMs: 1_000 }]
    const account = createAccount(both, epoch)
    for (let i = 0; i <= 100; i++) decide(account, both, defaultBanPolicy, epoch)
    for (let i = 1; i <= 10; i++)
      assert.ok(decide(account, both, defaultBanPolicy, epoch + i * 10_000).banned)
    const after = epoch + 15 * minuteMs
    for (let left = 3; left >= 0; left--) {
      const now = after + (3 - left) * 1_000
      assert.ok(decide(account, both, defaultBanPolicy, now).allowed, `${left} are left`)
    }
    assert.ok(!decide(account, both, defaultBanPolicy, after + 10_000).allowed)
  })

  it('rejects also requests that the limits would admit', () => {
    const short = [{ requests: 1, windowMs: 1_000 }]
    const account = createAccount(short, epoch)
    for (let i = 0; i <= 100; i++) decide(account, short, defaultBanPolicy, epoch)
    const { allowed, banned, remaining, reset } = decide(account, short, defaultBanPolicy, epoch + 10_000)
    assert.deepEqual([allowed, banned, remaining], [false, true, 0])
    assert.equal(reset, (epoch + 15 * minuteMs) / 1000)
    assert.ok(decide(account, short, defaultBanPolicy, epoch + 15 * minuteMs).allowed)
  })

  it('is shown by a peek, which is never rejected', () => {
    const account = spent()
    rejectTimes(account, 100, epoch)
    assert.deepEqual(peekAccount(account, limits, epoch), {
      allowed: true,
      banned: true,
      limit: 1,
      remaining: 0,
      reset: (epoch + 15 * minuteMs) / 1000,
      waitMs: 0,
    })
  })

  it('lasts twice as long each time, up to a day, until a day has passed without one', () => {
    const account = spent()
    const minutes: number[] = []
    let now = epoch
    for (let i = 0; i < 9; i++) {
      const { waitMs } = rejectTimes(account, 100, now)
      minutes.push(waitMs / minuteMs)
      now += waitMs + 24 * hourMs - 1
    }
    assert.deepEqual(minutes, [15, 30, 60, 120, 240, 480, 960, 1440, 1440])
    assert.equal(rejectTimes(account, 100, now + 1).waitMs, 15 * minuteMs)
  })

  it('ends when it would have ended, by a clock that steps back', () => {
    const account = spent()
    rejectTimes(account, 100, epoch)
    const stepped = epoch - 5 * hourMs
    assert.equal(rejectTimes(account, 1, stepped).waitMs, 15 * minuteMs)
    assert.ok(!rejectTimes(account, 1, stepped + 15 * minuteMs).banned)
  })

  it('counts rejections that were made without the limiter, and drops those beyond its number', () => {
    const account = spent()
    assert.ok(!decide(account, limits, defaultBanPolicy, epoch, 98).banned)
    assert.ok(decide(account, limits, defaultBanPolicy, epoch, 1).banned)
    const flooded = spent()
    const { waitMs } = decide(flooded, limits, defaultBanPolicy, epoch, 10_000)
    assert.equal(waitMs, 15 * minuteMs)
  })

  it('starts and ends exactly as a plain list of rejections shows', () => {
    const anyPolicy: fc.Arbitrary<BanPolicy> = fc.record({
      refusals: fc.integer({ min: 1, max: 4 }),
      withinMs: fc.constantFrom(1_000, 4_000),
      firstMs: fc.constantFrom(500, 2_000),
      longestMs: fc.constantFrom(2_000, 7_000),
      rememberMs: fc.constantFrom(500, 5_000),
    })
    const gap = fc.oneof(fc.constantFrom(0, 0, 500, 1_000, 2_000), fc.nat(600), fc.nat(4_000), fc.nat(12_000))
    holds(
      fc.property(
        anyPolicy,
        fc.array(gap, { minLength: 1, maxLength: 60, size: 'max' }),
        (policy, traffic) => {
          const account = spent()
          const list = plainList(policy)
          let now = epoch
          for (const step of traffic) {
            now += step
            const { banned, waitMs } = decide(account, limits, policy, now)
            assert.equal(banned ? now + waitMs : undefined, list(now))
          }
        },
      ),
      400,
    )
  })
})

/** Returns, for each rejection in turn, until when the key is banned. */
function plainList({ refusals, withinMs, firstMs, longestMs, rememberMs }: BanPolicy) {
  const bans: { until: number; length: number }[] = []
  let list: number[] = []
  return (now: number): number | undefined => {
    const last = bans.at(-1)
    if (last && now < last.until) return last.until
    list.push(now)
    if (list.filter((time) => now - time < withinMs).length < refusals) return undefined
    const longer = last && now - last.until < rememberMs ? last.length * 2 : firstMs
    const length = Math.min(longer, longestMs)
    bans.push({ until: now + length, length })
    list = []
    return now + length
  }
}

describe('an account', () => {
  const short = [{ requests: 1, windowMs: 1_000 }]

  it('is the same as a new one once its limits are whole again', () => {
    const account = createAccount(short, epoch)
    decide(account, short, defaultBanPolicy, epoch)
    assert.equal(accountEmptyAt(account, short, defaultBanPolicy), epoch + 1_000)
  })

  it('is not empty while its rejections count', () => {
    const account = createAccount(short, epoch)
    decide(account, short, defaultBanPolicy, epoch)
    decide(account, short, defaultBanPolicy, epoch + 500)
    assert.equal(accountEmptyAt(account, short, defaultBanPolicy), epoch + 500 + minuteMs)
    assert.equal(accountEmptyAt(account, short, undefined), epoch + 1_000)
  })

  it('is not empty while its next ban would be longer', () => {
    const account = createAccount(short, epoch)
    for (let i = 0; i <= 100; i++) decide(account, short, defaultBanPolicy, epoch)
    assert.equal(accountEmptyAt(account, short, defaultBanPolicy), epoch + 15 * minuteMs + 24 * hourMs)
  })
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { holds } from '../testing/holds.ts'
import { epoch } from '../testing/traffic.ts'
import type { Account } from './account.ts'
import { type BanPolicy, defaultBanPolicy } from './bans.ts'
import type { Decision } from './bucket.ts'
import { accountEmptyAt, createAccount, decide } from './decide.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const limits = [{ requests: 1, windowMs: 90 * 24 * hourMs }]

/** An account that used all of its limit two seconds before `epoch`, so that every further request is rejected. */
function spent(): Account {
  const account = createAccount(limits, epoch - 2_000)
  assert.ok(decide(account, limits, defaultBanPolicy, epoch - 2_000).allowed)
  return account
}

/** Rejects `count` requests at `now` and returns the last decision. */
function reject(account: Account, count: number, now: number): Decision {
  let last: Decision | undefined
  for (let i = 0; i < count; i++) last = decide(account, limits, defaultBanPolicy, now)
  assert.ok(last && !last.allowed)
  return last
}

/** Rejects one request a second before `now`, so that all of `count` rejections count. Returns the last decision. */
function hammer(account: Account, count: number, now: number): Decision {
  const first = reject(account, 1, now - 1_000)
  return count > 1 ? reject(account, count - 1, now) : first
}

describe('a ban', () => {
  it('starts with the hundredth counted rejection within a minute, whose own response says so', () => {
    const account = spent()
    reject(account, 1, epoch)
    for (let i = 1; i < 99; i++) {
      assert.ok(!decide(account, limits, defaultBanPolicy, epoch + 1_000 + i * 500).banned, `rejection ${i}`)
    }
    const now = epoch + minuteMs - 1
    const until = now + 15 * minuteMs
    assert.deepEqual(decide(account, limits, defaultBanPolicy, now), {
      allowed: false,
      banned: true,
      limit: 1,
      remaining: 0,
      reset: Math.ceil(until / 1000),
      waitMs: 15 * minuteMs,
    })
  })

  it('starts for a client that is admitted now and then, and never waits', () => {
    const drip = [{ requests: 1, windowMs: 500 }]
    const account = createAccount(drip, epoch)
    let now = epoch
    while (!decide(account, drip, defaultBanPolicy, now).banned) now += 20
    assert.ok(now < epoch + 5_000, `${now - epoch} ms`)
  })

  it('starts for a client that pauses without being admitted', () => {
    const account = spent()
    assert.ok(!reject(account, 50, epoch).banned)
    assert.ok(!reject(account, 98, epoch + 20_000).banned)
    assert.ok(reject(account, 1, epoch + 40_000).banned)
  })

  it('does not count a rejection that is a whole minute old, and counts one for at least nine tenths of it', () => {
    const account = spent()
    reject(account, 1, epoch)
    reject(account, 97, epoch + 6_000)
    assert.ok(!reject(account, 1, epoch + minuteMs).banned)
    assert.ok(!reject(account, 1, epoch + minuteMs + 5_000).banned)
    assert.ok(reject(account, 1, epoch + minuteMs + 5_000).banned)
    const early = spent()
    reject(early, 1, epoch)
    reject(early, 98, epoch + 1_000)
    assert.ok(!reject(early, 1, epoch + minuteMs).banned, 'those of the first six seconds count as one')
  })

  it('ignores earlier rejections that were made during it', () => {
    const account = spent()
    hammer(account, 100, epoch)
    const now = epoch + 1_000
    assert.equal(
      decide(account, limits, defaultBanPolicy, now, { count: 5_000, at: now }).waitMs,
      15 * minuteMs - 1_000,
    )
    assert.ok(!hammer(account, 99, epoch + 15 * minuteMs + 1_000).banned)
  })

  it('charges nothing while it lasts', () => {
    const both = [...limits.map((limit) => ({ ...limit, requests: 5 })), { requests: 1, windowMs: 2_000 }]
    const account = createAccount(both, epoch)
    const at = (now: number) => decide(account, both, defaultBanPolicy, now)
    for (const ms of [0, 1, ...new Array<number>(99).fill(1_001)]) at(epoch + ms)
    for (let i = 1; i <= 10; i++) assert.ok(at(epoch + i * 10_000).banned)
    const after = epoch + 16 * minuteMs
    for (let left = 3; left >= 0; left--)
      assert.ok(at(after + (3 - left) * 2_000).allowed, `${left} are left`)
    assert.ok(!at(after + 10_000).allowed)
  })

  it('rejects also what the limits would admit', () => {
    const short = [{ requests: 1, windowMs: 2_000 }]
    const account = createAccount(short, epoch)
    const at = (now: number) => decide(account, short, defaultBanPolicy, now)
    for (const ms of [0, 0, ...new Array<number>(99).fill(1_000)]) at(epoch + ms)
    const { allowed, banned, remaining, reset } = at(epoch + 10_000)
    assert.deepEqual([allowed, banned, remaining], [false, true, 0])
    assert.equal(reset, (epoch + 1_000 + 15 * minuteMs) / 1000)
    assert.ok(at(epoch + 1_000 + 15 * minuteMs).allowed)
  })

  it('is not extended by a clock that steps back', () => {
    const account = spent()
    hammer(account, 100, epoch)
    const stepped = epoch - 5 * hourMs
    const { waitMs } = reject(account, 1, stepped)
    assert.ok(waitMs <= 15 * minuteMs + 2_000, `${waitMs} ms`)
    assert.ok(!reject(account, 1, stepped + waitMs).banned)
  })

  it('counts earlier rejections, and no more than the policy requires', () => {
    const now = epoch + 1_000
    const account = spent()
    reject(account, 1, epoch)
    assert.ok(!decide(account, limits, defaultBanPolicy, now, { count: 97, at: now }).banned)
    assert.ok(decide(account, limits, defaultBanPolicy, now, { count: 1, at: now }).banned)
    const flooded = spent()
    reject(flooded, 1, epoch)
    const { waitMs } = decide(flooded, limits, defaultBanPolicy, now, { count: 10_000, at: now })
    assert.equal(waitMs, 15 * minuteMs)
  })

  it('falls exactly where the plain log of a client says', () => {
    const anyPolicy: fc.Arbitrary<BanPolicy> = fc.record({
      refusals: fc.integer({ min: 1, max: 4 }),
      withinMs: fc.constantFrom(1_000, 4_000, 15_000),
      firstMs: fc.constantFrom(500, 2_000),
      longestMs: fc.constantFrom(2_000, 7_000),
      rememberMs: fc.constantFrom(500, 5_000),
    })
    const someLimits = fc.constantFrom(
      limits,
      [{ requests: 1, windowMs: 700 }],
      [{ requests: 2, windowMs: 3_000 }],
    )
    const gap = fc.oneof(fc.constantFrom(0, 0, 500, 1_000, 2_000), fc.nat(600), fc.nat(4_000), fc.nat(12_000))
    holds(
      fc.property(
        anyPolicy,
        someLimits,
        fc.array(gap, { minLength: 1, maxLength: 60, size: 'max' }),
        (policy, limits, traffic) => {
          const account = createAccount(limits, epoch)
          const log: Entry[] = []
          let now = epoch
          for (const step of traffic) {
            now += step
            const { allowed, banned, waitMs } = decide(account, limits, policy, now)
            const until = allowed ? undefined : bannedUntil(policy, log, now)
            assert.equal(banned ? now + waitMs : undefined, until)
            log.push({ now, allowed, until })
          }
        },
      ),
      1_000,
    )
  })
})

/** A request as its client saw it: when, whether it was admitted, and else to when the ban lasts, if there is one. */
interface Entry {
  readonly now: number
  readonly allowed: boolean
  readonly until: number | undefined
}

/** Reads the policy off the whole log: to when a request that is not admitted at `now` is banned. */
function bannedUntil(policy: BanPolicy, log: readonly Entry[], now: number): number | undefined {
  const starts = log.filter(({ until }, i) => until !== undefined && until !== log[i - 1]?.until)
  const last = starts.at(-1)
  if (last?.until !== undefined && now < last.until) return last.until
  const sinceBan = log.filter((entry) => last?.until === undefined || entry.now >= last.until)
  const ends = endsOfCounted(policy, [...sinceBan, { now, allowed: false, until: undefined }])
  if (ends.filter((end) => end > now).length < policy.refusals) return undefined
  const isFurther = last?.until !== undefined && now - last.until < policy.rememberMs
  const before = isFurther && last?.until !== undefined ? last.until - last.now : policy.firstMs / 2
  return now + Math.min(before * 2, policy.longestMs)
}

/** When the rejections that count do so no longer: a window after the step of a tenth of it in which they were. */
function endsOfCounted({ withinMs }: BanPolicy, log: readonly Entry[]): number[] {
  const ends: number[] = []
  const stepMs = withinMs / 10
  let streakAt = 0
  let stepAt = 0
  for (const [i, { now, allowed }] of log.entries()) {
    if (allowed) continue
    const before = log.slice(0, i)
    const previous = before.findLast((entry) => !entry.allowed)
    const isFirst = ends.every((end) => end <= now)
    const isNew =
      !previous || before.some((entry) => entry.allowed && entry.now >= previous.now + 1_000) || isFirst
    if (isNew) streakAt = now
    if (!isNew && now - streakAt < 1_000) continue
    stepAt = isFirst ? now : stepAt + Math.floor((now - stepAt) / stepMs) * stepMs
    ends.push(stepAt + withinMs)
  }
  return ends
}

describe('an account', () => {
  const short = [{ requests: 1, windowMs: 1_000 }]

  it('is the same as none once its limits are whole again', () => {
    const account = createAccount(short, epoch)
    decide(account, short, defaultBanPolicy, epoch)
    assert.equal(accountEmptyAt(account, short, defaultBanPolicy), epoch + 1_000)
  })

  it('is remembered for as long as its rejections count', () => {
    const account = createAccount(short, epoch)
    decide(account, short, defaultBanPolicy, epoch)
    decide(account, short, defaultBanPolicy, epoch + 500)
    assert.equal(accountEmptyAt(account, short, defaultBanPolicy), epoch + 500 + minuteMs)
    assert.equal(accountEmptyAt(account, short, undefined), epoch + 1_000)
  })

  it('is remembered for as long as its bans double', () => {
    const account = createAccount(short, epoch)
    const two = [{ requests: 1, windowMs: 2_000 }]
    for (const ms of [0, 0, ...new Array<number>(99).fill(1_000)])
      decide(account, two, defaultBanPolicy, epoch + ms)
    assert.equal(accountEmptyAt(account, two, defaultBanPolicy), epoch + 1_000 + 15 * minuteMs + 24 * hourMs)
  })
})

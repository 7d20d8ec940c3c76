import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { holds } from '../testing/holds.ts'
import { epoch } from '../testing/traffic.ts'
import type { Account } from './account.ts'
import { type BanPolicy, defaultBanPolicy, type EarlierRejections } from './bans.ts'
import { accountEmptyAt, createAccount, decide } from './decide.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const limits = [{ requests: 1, windowMs: 90 * 24 * hourMs }]

const at = (account: Account, now: number, earlier?: EarlierRejections) =>
  decide(account, limits, defaultBanPolicy, now, earlier)

/** An account that used its limit two seconds before `epoch`, with counted rejections: one there, the rest later. */
function rejected(count: number): Account {
  const account = createAccount(limits, epoch - 2_000)
  assert.ok(at(account, epoch - 2_000).allowed)
  for (let i = 0; i < count; i++) assert.ok(!at(account, i === 0 ? epoch : epoch + 1_000).allowed)
  return account
}

describe('a ban', () => {
  it('starts with the hundredth counted rejection within a minute, whose own response says so', () => {
    const account = rejected(98)
    assert.ok(!at(account, epoch + minuteMs - 2).banned)
    const until = epoch + minuteMs - 1 + 15 * minuteMs
    assert.deepEqual(at(account, epoch + minuteMs - 1), {
      ...{ allowed: false, banned: true, limit: 1, remaining: 0 },
      ...{ reset: Math.ceil(until / 1000), waitMs: 15 * minuteMs },
    })
  })

  it('counts earlier rejections but those made during it, and lasts no longer for more than the policy requires', () => {
    const now = epoch + 1_000
    const account = rejected(1)
    assert.ok(!at(account, now, { count: 97, at: now }).banned)
    assert.equal(at(account, now, { count: 10_000, at: now }).waitMs, 15 * minuteMs)
    assert.equal(at(account, now + 1_000, { count: 5_000, at: now + 1_000 }).waitMs, 15 * minuteMs - 1_000)
    assert.ok(!at(account, now + 15 * minuteMs).banned)
  })

  it('charges nothing while it lasts', () => {
    const both = [...limits.map((limit) => ({ ...limit, requests: 5 })), { requests: 1, windowMs: 2_000 }]
    const account = createAccount(both, epoch)
    const send = (now: number) => decide(account, both, defaultBanPolicy, now)
    for (const ms of [0, 1, ...new Array<number>(99).fill(1_001)]) send(epoch + ms)
    for (let i = 1; i <= 10; i++) assert.ok(send(epoch + i * 10_000).banned)
    const after = epoch + 16 * minuteMs
    for (let left = 3; left >= 0; left--)
      assert.ok(send(after + (3 - left) * 2_000).allowed, `${left} are left`)
    assert.ok(!send(after + 10_000).allowed)
  })

  it('is not extended by a clock that steps back', () => {
    const account = rejected(100)
    const stepped = epoch - 5 * hourMs
    const { waitMs } = at(account, stepped)
    assert.ok(waitMs <= 15 * minuteMs + 3_000, `${waitMs} ms`)
    assert.ok(!at(account, stepped + waitMs).banned)
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

const two = [{ requests: 1, windowMs: 2_000 }]
const kept: readonly (readonly [
  what: string,
  policy: BanPolicy | undefined,
  times: number[],
  forMs: number,
])[] = [
  ['its limits are whole again', defaultBanPolicy, [0], 2_000],
  ['its rejections count no longer', defaultBanPolicy, [0, 500], 500 + minuteMs],
  ['its limits are whole again, where nothing is ever banned', undefined, [0, 500], 2_000],
  [
    'its bans double no longer',
    defaultBanPolicy,
    [0, 0, ...new Array<number>(99).fill(1_000)],
    1_000 + 15 * minuteMs + 24 * hourMs,
  ],
]
for (const [what, policy, times, forMs] of kept)
  it(`an account is the same as none once ${what}`, () => {
    const account = createAccount(two, epoch)
    for (const ms of times) decide(account, two, policy, epoch + ms)
    assert.equal(accountEmptyAt(account), epoch + forMs)
  })

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { testStartMs } from '../testing/test-clock.ts'
import { chargeAccount, checkLimits, type Limit } from './bucket.ts'
import { accountEmptyAt, createAccount, decide, peekAccount } from './decide.ts'
import { plans, toLimits } from './plans.ts'

const minuteAndDay = [
  { requests: 2, windowMs: 60_000 },
  { requests: 3, windowMs: 86_400_000 },
]

it('a rate limit follows a clock that is set back by more than 2 s', () => {
  for (const backMs of [1, 2_000, 2_001, 10 ** 12]) {
    const account = createAccount(minuteAndDay, testStartMs)
    for (let i = 0; i < 2; i++) decide(account, minuteAndDay, undefined, testStartMs)
    const { allowed, remaining, reset, waitMs } = decide(
      account,
      minuteAndDay,
      undefined,
      testStartMs - backMs,
    )
    const movedBackMs = backMs > 2_000 ? backMs : 0
    assert.deepEqual([allowed, remaining, waitMs], [false, 0, 60_000])
    const secondTime = testStartMs + 60_000 - movedBackMs
    assert.equal(reset, Math.ceil(secondTime / 1000))
    assert.ok(decide(account, minuteAndDay, undefined, secondTime).allowed)
    assert.equal(decide(account, minuteAndDay, undefined, secondTime).waitMs, 86_340_000)
  }
})

it('a limit that is added later starts unused', () => {
  const [first, second] = [1_000, 60_000].map((windowMs) => ({ requests: 1, windowMs })) as [Limit, Limit]
  const account = createAccount([first], testStartMs)
  assert.ok(chargeAccount(account, [first], testStartMs, 1).allowed)
  assert.ok(chargeAccount(account, [first, second], testStartMs + 1_000, 1).allowed)
  assert.equal(accountEmptyAt(account), testStartMs + 61_000)
  assert.equal(chargeAccount(account, [first, second], testStartMs + 2_000, 1).waitMs, 59_000)
})

describe('an account whose plan changes', () => {
  const [business, free] = [toLimits(plans.business), toLimits(plans.free)] as const

  it('waits at most a day after a downgrade', () => {
    const account = createAccount(business, testStartMs)
    let now = testStartMs
    for (let used = 0; used < 100_000; now += 60_000)
      for (; used < 100_000 && decide(account, business, undefined, now).allowed; used++);
    const day = 86_400_000
    const { allowed, waitMs, reset } = decide(account, free, undefined, now)
    assert.equal(allowed, false)
    assert.ok(waitMs <= day && reset <= Math.ceil((now + day) / 1_000), `waits ${waitMs} ms`)
    assert.ok(decide(account, free, undefined, now + waitMs).allowed)
  })

  it('has no requests left if it used more than the new limit', () => {
    const [from = [], to = []] = [business, free].map((limits) => limits.slice(0, 1))
    const account = createAccount(from, testStartMs)
    for (let used = 0; used < 1_000; used++) decide(account, from, undefined, testStartMs)
    const { limit, remaining, reset, waitMs } = decide(account, to, undefined, testStartMs)
    assert.deepEqual([limit, remaining, reset, waitMs], [60, 0, testStartMs / 1_000 + 60, 60_000])
    assert.equal(peekAccount(account, to, testStartMs + 60_000).remaining, 60)
  })
})

it('checkLimits throws for limits that cannot be counted exactly', () => {
  for (const requests of [1, 2 ** 53 - 1]) checkLimits([{ requests, windowMs: 1 }])
  const invalidLimits = [0, -1, 1.5, Number.NaN, 2 ** 53].flatMap((other) => [
    { requests: other, windowMs: 1 },
    { requests: 1, windowMs: other },
  ])
  for (const limit of [...invalidLimits, { requests: 2 ** 27, windowMs: 2 ** 26 }])
    assert.throws(() => checkLimits([limit]), /^RangeError: .* positive integers whose product/)
})

it('the largest possible limit is counted exactly', () => {
  const limit = { requests: 3, windowMs: Math.floor((2 ** 53 - 1) / 3) }
  const account = createAccount([limit], testStartMs)
  for (let i = 0; i < 3; i++) assert.ok(chargeAccount(account, [limit], testStartMs + i, 1).allowed)
  assert.equal(chargeAccount(account, [limit], testStartMs + 3, 1).waitMs, limit.windowMs - 3)
})

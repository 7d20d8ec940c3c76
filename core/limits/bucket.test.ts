import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { epoch } from '../testing/traffic.ts'
import { charge, checkLimits, type Limit } from './bucket.ts'
import { accountEmptyAt, createAccount, decide, peekAccount } from './decide.ts'
import { plans, toLimits } from './plans.ts'

const minuteAndDay = [
  { requests: 2, windowMs: 60_000 },
  { requests: 3, windowMs: 86_400_000 },
]

it('an account stands still while the clock is at most 2 s behind', () => {
  for (const backMs of [1, 2_000, 2_001, 10 ** 12]) {
    const account = createAccount(minuteAndDay, epoch)
    for (let i = 0; i < 2; i++) decide(account, minuteAndDay, undefined, epoch)
    const { allowed, remaining, reset, waitMs } = decide(account, minuteAndDay, undefined, epoch - backMs)
    const moved = backMs > 2_000 ? backMs : 0
    assert.deepEqual([allowed, remaining, waitMs], [false, 0, 60_000])
    const then = epoch + 60_000 - moved
    assert.equal(reset, Math.ceil(then / 1000))
    assert.ok(decide(account, minuteAndDay, undefined, then).allowed)
    assert.equal(decide(account, minuteAndDay, undefined, then).waitMs, 86_340_000)
  }
})

it('an added limit counts from the next request on', () => {
  const [first, second] = [1_000, 60_000].map((windowMs) => ({ requests: 1, windowMs })) as [Limit, Limit]
  const account = createAccount([first], epoch)
  assert.ok(charge(account, [first], epoch, 1).allowed)
  assert.ok(charge(account, [first, second], epoch + 1_000, 1).allowed)
  assert.equal(accountEmptyAt(account), epoch + 61_000)
  assert.equal(charge(account, [first, second], epoch + 2_000, 1).waitMs, 59_000)
})

describe('an account whose limits were lowered', () => {
  const [business, free] = [toLimits(plans.business), toLimits(plans.free)] as const

  it('waits at most a window', () => {
    const account = createAccount(business, epoch)
    let now = epoch
    for (let used = 0; used < 100_000; now += 60_000)
      for (; used < 100_000 && decide(account, business, undefined, now).allowed; used++);
    const day = 86_400_000
    const { allowed, waitMs, reset } = decide(account, free, undefined, now)
    assert.equal(allowed, false)
    assert.ok(waitMs <= day && reset <= Math.ceil((now + day) / 1_000), `waits ${waitMs} ms`)
    assert.ok(decide(account, free, undefined, now + waitMs).allowed)
  })

  it('owes the minute limit at most a minute', () => {
    const [from = [], to = []] = [business, free].map((limits) => limits.slice(0, 1))
    const account = createAccount(from, epoch)
    for (let used = 0; used < 1_000; used++) decide(account, from, undefined, epoch)
    const { limit, remaining, reset, waitMs } = decide(account, to, undefined, epoch)
    assert.deepEqual([limit, remaining, reset, waitMs], [60, 0, epoch / 1_000 + 60, 60_000])
    assert.equal(peekAccount(account, to, epoch + 60_000).remaining, 60)
  })
})

it('limits are whole numbers from 1 with a product below 2^53', () => {
  for (const requests of [1, 2 ** 53 - 1]) checkLimits([{ requests, windowMs: 1 }])
  const pairs = [0, -1, 1.5, Number.NaN, 2 ** 53].flatMap((other) => [
    { requests: other, windowMs: 1 },
    { requests: 1, windowMs: other },
  ])
  for (const limit of [...pairs, { requests: 2 ** 27, windowMs: 2 ** 26 }])
    assert.throws(() => checkLimits([limit]), /^RangeError: .* whole numbers from 1 with a product/)
})

it('limits are counted exactly up to the largest product', () => {
  const limit = { requests: 3, windowMs: Math.floor((2 ** 53 - 1) / 3) }
  const account = createAccount([limit], epoch)
  for (let i = 0; i < 3; i++) assert.ok(charge(account, [limit], epoch + i, 1).allowed)
  assert.equal(charge(account, [limit], epoch + 3, 1).waitMs, limit.windowMs - 3)
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { alone } from '../testing/account.ts'
import { holds } from '../testing/holds.ts'
import { epoch } from '../testing/traffic.ts'
import { charge, checkLimits, type Limit } from './bucket.ts'
import { accountEmptyAt, createAccount, decide, peekAccount } from './decide.ts'

const minuteAndDay = [
  { requests: 2, windowMs: 60_000 },
  { requests: 3, windowMs: 86_400_000 },
]

describe('limits', () => {
  it('are empty from exactly the millisecond of accountEmptyAt', () => {
    const limits = [
      { requests: 7, windowMs: 1_000 },
      { requests: 9, windowMs: 1_300 },
    ]
    const account = createAccount(limits, epoch)
    for (const ms of [0, 0, 1, 150, 900, 1_001, 1_500]) {
      decide(account, limits, undefined, epoch + ms)
      const isSpent = (time: number) =>
        limits.some(
          ({ requests }, i) =>
            peekAccount(alone(account, i), limits.slice(i, i + 1), time).remaining < requests,
        )
      const end = accountEmptyAt(account)
      assert.deepEqual([isSpent(end - 1), isSpent(end)], [true, false])
    }
  })

  it('are not changed by a peek', () => {
    const account = createAccount(minuteAndDay, epoch)
    decide(account, minuteAndDay, undefined, epoch)
    const before = [...account]
    peekAccount(account, minuteAndDay, epoch + 70_000)
    assert.deepEqual(account, before)
  })

  it('stand still while the clock is back by two seconds, and follow one that steps back further', () => {
    for (const backMs of [1, 2_000, 2_001, 10 ** 12]) {
      const account = createAccount(minuteAndDay, epoch)
      for (let i = 0; i < 2; i++) decide(account, minuteAndDay, undefined, epoch)
      const { allowed, remaining, reset, waitMs } = decide(account, minuteAndDay, undefined, epoch - backMs)
      const moved = backMs > 2_000 ? backMs : 0
      assert.deepEqual([allowed, remaining, waitMs], [false, 0, 60_000])
      assert.equal(reset, Math.ceil((epoch + 60_000 - moved) / 1000))
    }
  })

  it('make no key wait longer than a window, however the clock jumps', () => {
    const jump = fc.oneof(
      fc.nat(3_000),
      fc.integer({ min: -3_000, max: 0 }),
      fc.integer({ min: -(10 ** 10), max: 10 ** 10 }),
    )
    holds(
      fc.property(fc.array(jump, { minLength: 1, maxLength: 60, size: 'max' }), (jumps) => {
        const account = createAccount(minuteAndDay, epoch)
        let now = epoch
        for (const step of jumps) {
          now += step
          const { allowed, waitMs } = decide(account, minuteAndDay, undefined, now)
          if (allowed) continue
          assert.ok(waitMs <= 86_400_000)
          assert.ok(decide([...account], minuteAndDay, undefined, now + waitMs + 2_000).allowed)
        }
      }),
    )
  })

  it('that are added later count from their next request on', () => {
    const [first, second] = [1_000, 60_000].map((windowMs) => ({ requests: 1, windowMs })) as [Limit, Limit]
    const account = createAccount([first], epoch)
    assert.ok(charge(account, [first], epoch, 1).allowed)
    assert.ok(charge(account, [first, second], epoch + 1_000, 1).allowed)
    assert.equal(charge(account, [first, second], epoch + 2_000, 1).waitMs, 59_000)
  })
})

describe('usable limits', () => {
  it('are whole numbers from 1 whose product can be counted exactly', () => {
    for (const requests of [1, 2 ** 53 - 1]) checkLimits([{ requests, windowMs: 1 }])
    for (const [requests, windowMs] of [
      ...[
        [0, 1],
        [1, 0],
        [-1, -1],
        [1.5, 1000],
        [1, 1.5],
        [Number.NaN, 1],
        [2 ** 53, 1],
        [2 ** 27, 2 ** 26],
      ],
    ] as const) {
      const limits = [{ requests, windowMs }] as readonly Limit[]
      assert.throws(() => checkLimits(limits), /^RangeError: .* whole numbers from 1 with a product/)
    }
  })

  it('are counted exactly up to the largest product', () => {
    const limit = { requests: 3, windowMs: Math.floor((2 ** 53 - 1) / 3) }
    const account = createAccount([limit], epoch)
    for (let i = 0; i < 3; i++) assert.ok(charge(account, [limit], epoch + i, 1).allowed)
    assert.equal(charge(account, [limit], epoch + 3, 1).waitMs, limit.windowMs - 3)
  })
})

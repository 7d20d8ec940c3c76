import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { holds } from '../testing/holds.ts'
import { epoch } from '../testing/traffic.ts'
import { charge, checkLimits, type Limit } from './bucket.ts'
import { accountEmptyAt, createAccount, decide, peekAccount } from './decide.ts'

const minuteAndDay = [
  { requests: 2, windowMs: 60_000 },
  { requests: 3, windowMs: 86_400_000 },
]

/** Sends a request at each time after `epoch`, and returns what is shown of it. */
function shown(limits: readonly Limit[], times: readonly number[]) {
  const account = createAccount(limits, epoch)
  return times.map((time) => {
    const { allowed, limit, remaining, reset, waitMs } = decide(account, limits, undefined, epoch + time)
    return [allowed, limit, remaining, reset - epoch / 1000, waitMs]
  })
}

describe('limits', () => {
  it('do not let twice as many through around the edge of a window', () => {
    const decided = shown([{ requests: 2, windowMs: 1_000 }], [0, 999, 1_000, 1_001])
    assert.deepEqual(
      decided.map(([allowed, , left, , waitMs]) => [allowed, left, waitMs]),
      [
        [true, 1, 0],
        [true, 0, 0],
        [true, 0, 0],
        [false, 0, 498],
      ],
    )
  })

  it('show the longest wait of a rejection, and else the fewest remaining, of two alike what resets later', () => {
    for (const limits of [minuteAndDay, minuteAndDay.toReversed()])
      assert.deepEqual(shown(limits, [0, 0, 0, 60_000, 60_000]), [
        [true, 2, 1, 60, 0],
        [true, 2, 0, 60, 0],
        [false, 2, 0, 60, 60_000],
        [true, 3, 0, 86_400, 0],
        [false, 3, 0, 86_400, 86_340_000],
      ])
    const alike = minuteAndDay.map((limit) => ({ ...limit, requests: 2 }))
    for (const limits of [alike, alike.toReversed()])
      assert.deepEqual(shown(limits, [0]), [[true, 2, 1, 86_400, 0]])
  })

  it('are empty from exactly the millisecond of accountEmptyAt', () => {
    const limits = [
      { requests: 7, windowMs: 1_000 },
      { requests: 9, windowMs: 1_300 },
    ]
    const account = createAccount(limits, epoch)
    for (const ms of [0, 0, 1, 150, 900, 1_001, 1_500]) {
      decide(account, limits, undefined, epoch + ms)
      const end = accountEmptyAt(account, limits, undefined)
      const isWhole = (time: number) =>
        limits.every((limit, i) => {
          const ordered = [limit, ...limits.filter((other) => other !== limit)]
          const alone = [...account]
          if (i === 1) alone.copyWithin(account.length - 6, account.length - 3)
          return peekAccount(alone, ordered.slice(0, 1), time).remaining === limit.requests
        })
      assert.deepEqual([isWhole(end - 1), isWhole(end)], [false, true])
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
    const [first, second] = [
      { requests: 1, windowMs: 1_000 },
      { requests: 1, windowMs: 60_000 },
    ]
    const account = createAccount([first], epoch)
    assert.ok(charge(account, [first], epoch, 1).allowed)
    assert.ok(charge(account, [first, second], epoch + 1_000, 1).allowed)
    assert.equal(charge(account, [first, second], epoch + 2_000, 1).waitMs, 59_000)
  })
})

describe('usable limits', () => {
  it('are whole numbers from 1 whose product can be counted exactly', () => {
    for (const limit of [
      { requests: 1, windowMs: 1 },
      { requests: 2 ** 53 - 1, windowMs: 1 },
    ]) {
      assert.doesNotThrow(() => checkLimits([limit]))
    }
    for (const [requests, windowMs] of [
      [0, 1],
      [1, 0],
      [-1, -1],
      [1.5, 1000],
      [1, 1.5],
      [Number.NaN, 1],
      [2 ** 53, 1],
      [2 ** 27, 2 ** 26],
    ] as const) {
      assert.throws(() => checkLimits([{ requests, windowMs }]), {
        name: 'RangeError',
        message: /whole numbers from 1 with a product/,
      })
    }
  })

  it('are counted exactly up to the largest product', () => {
    const limit = { requests: 3, windowMs: Math.floor((2 ** 53 - 1) / 3) }
    const account = createAccount([limit], epoch)
    for (let i = 0; i < 3; i++) assert.ok(charge(account, [limit], epoch + i, 1).allowed)
    assert.equal(charge(account, [limit], epoch + 3, 1).waitMs, limit.windowMs - 3)
  })
})

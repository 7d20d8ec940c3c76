import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { holds } from '../testing/holds.ts'
import { admits, remaining } from '../testing/limit-oracle.ts'
import { epoch, someStory, storyOfOneLimit } from '../testing/traffic.ts'
import { createAccount, decide, peekAccount } from './account.ts'
import {
  type Bucket,
  charge,
  checkLimits,
  createBucket,
  type Decision,
  emptyAt,
  followClock,
  type Limit,
  peek,
} from './bucket.ts'
import { createMemoryLimiter } from './memory-limiter.ts'

interface Decider {
  consume(now: number): Decision
  peek(now: number): Decision
}

/** Each way to a decision; all must decide alike. */
const deciders: Readonly<Record<string, (limits: readonly Limit[]) => Decider>> = {
  decide: (limits) => {
    const account = createAccount(limits, epoch)
    return {
      consume: (now) => decide(account, limits, undefined, now),
      peek: (now) => peekAccount(account, limits, now),
    }
  },
  'the limiter in memory': (limits) => {
    let time = epoch
    const limiter = createMemoryLimiter({ clock: () => time, ban: false })
    const at = (decideNow: typeof limiter.consume) => (now: number) => {
      time = now
      return decideNow('key:k', limits)
    }
    return { consume: at(limiter.consume), peek: at(limiter.peek) }
  },
}

/** Sends the traffic, and passes on each decision, its time, and the log of the requests admitted until then. */
function run(
  decider: Decider,
  traffic: readonly number[],
  check: (decision: Decision, now: number, log: readonly number[]) => void,
): readonly number[] {
  const log: number[] = []
  let now = epoch
  for (const gap of traffic) {
    now += gap
    const decision = decider.consume(now)
    if (decision.allowed) log.push(now)
    check(decision, now, log)
  }
  return log
}

const trailing = (log: readonly number[], now: number, windowMs: number) =>
  log.filter((time) => time > now - windowMs && time <= now).length

for (const [name, decider] of Object.entries(deciders)) {
  describe(`limits decided by ${name}`, () => {
    it('admit exactly what the log of admitted requests has room for', () => {
      holds(
        fc.property(someStory, ({ limits, gaps }) => {
          const log: number[] = []
          let now = epoch
          const ask = decider(limits)
          for (const gap of gaps) {
            now += gap
            const expected = limits.every((limit) => admits(log, limit, now))
            assert.equal(ask.consume(now).allowed, expected)
            if (expected) log.push(now)
          }
        }),
      )
    })

    it('show how many more requests succeed, of the limit with the fewest', () => {
      holds(
        fc.property(someStory, ({ limits, gaps }) => {
          const ask = decider(limits)
          run(ask, gaps, (decision, now, log) => {
            const fewest = Math.min(...limits.map((limit) => remaining(log, limit, now)))
            assert.equal(decision.remaining, fewest)
            assert.equal(ask.peek(now).remaining, fewest)
          })
        }),
      )
    })

    it('show the first whole second from which the whole limit is available again', () => {
      holds(
        fc.property(someStory, ({ limits, gaps }) => {
          run(decider(limits), gaps, (decision, now, log) => {
            const shown = limits.filter(
              (limit) =>
                limit.requests === decision.limit && remaining(log, limit, now) === decision.remaining,
            )
            const whole = (second: number) =>
              shown.some((limit) => remaining(log, limit, second * 1000) === limit.requests)
            assert.ok(whole(decision.reset))
            const earlier = decision.reset - 1
            if (earlier * 1000 >= now && shown.length === 1) assert.ok(!whole(earlier))
          })
        }),
      )
    })

    it('show a wait after which a request is admitted; one millisecond earlier the limit shown rejects it', () => {
      holds(
        fc.property(someStory, ({ limits, gaps }) => {
          run(decider(limits), gaps, ({ allowed, waitMs, limit: shown }, now, log) => {
            assert.equal(waitMs > 0, !allowed)
            if (allowed) return
            assert.ok(limits.every((limit) => admits(log, limit, now + waitMs)))
            const last = limits.filter((limit) => !admits(log, limit, now + waitMs - 1))
            assert.ok(last.some(({ requests }) => requests === shown))
          })
        }),
      )
    })

    it('reject only a key that was admitted N times in the trailing window of a limit', () => {
      holds(
        fc.property(someStory, ({ limits, gaps }) => {
          run(decider(limits), gaps, ({ allowed }, now, log) => {
            if (allowed) return
            assert.ok(limits.some(({ requests, windowMs }) => trailing(log, now, windowMs) >= requests))
          })
        }),
      )
    })

    it('let through at most N at once and at most 2N - 1 in any stretch of the window', () => {
      holds(
        fc.property(storyOfOneLimit, ({ limits, gaps }) => {
          const [{ requests, windowMs }] = limits as readonly [Limit] // a story of one limit
          const log = run(decider(limits), gaps, () => {})
          for (const time of log) {
            assert.ok(log.filter((other) => other === time).length <= requests)
            assert.ok(trailing(log, time, windowMs) <= 2 * requests - 1)
          }
        }),
      )
    })

    it('do not let twice as many through around the edge of a window', () => {
      const ask = decider([{ requests: 2, windowMs: 1_000 }])
      const decided = [0, 999, 1_000, 1_001].map((time) => {
        const { allowed, remaining: left, waitMs } = ask.consume(epoch + time)
        return [allowed, left, waitMs]
      })
      assert.deepEqual(decided, [
        [true, 1, 0],
        [true, 0, 0],
        [true, 0, 0],
        [false, 0, 498],
      ])
    })

    it('show, of two with as few remaining, the one that resets later', () => {
      const minute = { requests: 2, windowMs: 60_000 }
      const day = { requests: 2, windowMs: 86_400_000 }
      for (const limits of [
        [minute, day],
        [day, minute],
      ]) {
        assert.equal(decider(limits).consume(epoch).reset, epoch / 1000 + 86_400)
      }
    })

    it('show the limit with the longest wait when a request is rejected', () => {
      const minuteAndDay = [
        { requests: 2, windowMs: 60_000 },
        { requests: 3, windowMs: 86_400_000 },
      ]
      const ask = decider(minuteAndDay)
      const shown = [0, 0, 0, 60_000, 60_000].map((time) => {
        const { allowed, limit, remaining: left, reset, waitMs } = ask.consume(epoch + time)
        return [allowed, limit, left, reset - epoch / 1000, waitMs]
      })
      assert.deepEqual(shown, [
        [true, 2, 1, 60, 0],
        [true, 2, 0, 60, 0],
        [false, 2, 0, 60, 60_000],
        [true, 3, 0, 86_400, 0],
        [false, 3, 0, 86_400, 86_340_000],
      ])
    })
  })
}

describe('a bucket', () => {
  const used = someStory.map(({ limits, gaps }) => {
    const bucket = createBucket(limits, epoch)
    let now = epoch
    for (const gap of gaps) {
      now += gap
      charge(bucket, limits, now)
    }
    return { limits, bucket, now }
  })

  it('admits exactly Remaining more requests now, and rejects the next', () => {
    holds(
      fc.property(used, fc.nat(5_000), ({ limits, bucket, now }, later) => {
        const { remaining: left } = peek(bucket, limits, now + later)
        for (let i = 0; i < left; i++) assert.ok(charge(bucket, limits, now + later).allowed)
        assert.ok(!charge(bucket, limits, now + later).allowed)
      }),
    )
  })

  it('is the same as a new one from exactly the millisecond of emptyAt', () => {
    holds(
      fc.property(used, ({ limits, bucket, now }) => {
        const end = emptyAt(bucket, limits)
        const isWhole = (time: number) =>
          limits.every((limit, i) => {
            const alone: Bucket = [bucket[0] ?? 0, ...bucket.slice(i * 3 + 1, i * 3 + 4)]
            return peek(alone, [limit], time).remaining === limit.requests
          })
        assert.ok(isWhole(end))
        if (end > now) assert.ok(!isWhole(end - 1))
      }),
    )
  })

  it('is not changed by a rejection, nor by a peek', () => {
    holds(
      fc.property(used, fc.nat(500), ({ limits, bucket, now }, later) => {
        while (charge(bucket, limits, now).allowed);
        const before = [...bucket]
        assert.ok(!charge(bucket, limits, now).allowed)
        peek(bucket, limits, now + later)
        assert.deepEqual(bucket, before)
      }),
    )
  })

  it('stands still while the clock is back by up to two seconds', () => {
    holds(
      fc.property(used, fc.integer({ min: 1, max: 2_000 }), ({ limits, bucket }, back) => {
        const [at = 0] = bucket
        const copy: Bucket = [...bucket]
        assert.equal(followClock(copy, at - back), 0)
        assert.deepEqual(charge(copy, limits, at - back), charge(bucket, limits, at))
        assert.deepEqual(copy, bucket)
      }),
    )
  })

  it('follows a clock that steps back further, so that every wait stays as it was', () => {
    holds(
      fc.property(used, fc.integer({ min: 2_001, max: 10 ** 12 }), ({ limits, bucket }, back) => {
        const [at = 0] = bucket
        const copy: Bucket = [...bucket]
        assert.equal(followClock(copy, at - back), back)
        const moved = charge(copy, limits, at - back)
        const stayed = charge(bucket, limits, at)
        assert.deepEqual(
          [moved.allowed, moved.remaining, moved.waitMs],
          [stayed.allowed, stayed.remaining, stayed.waitMs],
        )
      }),
    )
  })

  it('makes no key wait longer than a window, however the clock jumps', () => {
    const jump = fc.oneof(
      fc.nat(3_000),
      fc.integer({ min: -3_000, max: 0 }),
      fc.integer({ min: -(10 ** 10), max: 10 ** 10 }),
    )
    holds(
      fc.property(
        someStory,
        fc.array(jump, { minLength: 1, maxLength: 60, size: 'max' }),
        ({ limits }, jumps) => {
          const account = createAccount(limits, epoch)
          const longest = Math.max(...limits.map(({ windowMs }) => windowMs))
          let now = epoch
          for (const step of jumps) {
            now += step
            const { allowed, waitMs } = decide(account, limits, undefined, now)
            if (allowed) continue
            assert.ok(waitMs <= longest)
            const later = structuredClone(account)
            assert.ok(decide(later, limits, undefined, now + waitMs + 2_000).allowed)
          }
        },
      ),
    )
  })

  it('counts a limit that is added later from its next request on', () => {
    const [first, second] = [
      { requests: 1, windowMs: 1_000 },
      { requests: 1, windowMs: 60_000 },
    ]
    const bucket = createBucket([first], epoch)
    assert.ok(charge(bucket, [first], epoch).allowed)
    assert.ok(charge(bucket, [first, second], epoch + 1_000).allowed)
    assert.equal(charge(bucket, [first, second], epoch + 2_000).waitMs, 59_000)
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
    const bucket = createBucket([limit], epoch)
    for (let i = 0; i < 3; i++) assert.ok(charge(bucket, [limit], epoch + i).allowed)
    assert.equal(charge(bucket, [limit], epoch + 3).waitMs, limit.windowMs - 3)
  })
})

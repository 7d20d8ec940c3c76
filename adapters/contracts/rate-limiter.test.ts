import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type BanPolicy, createMemoryLimiter, type Decision, type RateLimiter } from '../../core/index.ts'
import { type LimiterSetup, rateLimiterContract } from './index.ts'
import { type Broken, contractFinds, declaredBy } from './testing/run-contract.ts'

rateLimiterContract({ test, createLimiter: createMemoryLimiter })

type Decider = RateLimiter['consume']
/** A limiter with a defect. Without a `peek` it has that of the whole limiter. */
type BrokenLimiter = { consume: Decider; peek?: Decider }
type BreakLimiter = (limiter: RateLimiter, setup: LimiterSetup) => BrokenLimiter

/** Breaks both methods of a limiter alike. */
function both(breakOne: (decide: Decider) => Decider): BreakLimiter {
  return ({ consume, peek }) => ({ consume: breakOne(consume), peek: breakOne(peek) })
}

/** Changes each decision. */
function deciding(change: (decision: Decision) => Partial<Decision>): BreakLimiter {
  return both((decide) => async (key, limits) => {
    const decision = await decide(key, limits)
    return { ...decision, ...change(decision) }
  })
}

/** Begins bans by other numbers than those of the policy. */
function banning(part: keyof BanPolicy, more: number): BreakLimiter {
  return (_, { clock, ban }) =>
    createMemoryLimiter({ clock, ban: ban && { ...ban, [part]: ban[part] + more } })
}

const broken: Broken<BreakLimiter> = {
  'rejects the next': { 'admits everything': deciding(() => ({ allowed: true })) },
  'as many as the limit allows': {
    'admits one too many': both(
      (decide) => (key, limits) =>
        decide(
          key,
          limits.map((limit) => ({ ...limit, requests: limit.requests + 1 })),
        ),
    ),
  },
  'each key separately': {
    'has one bucket for all': both((decide) => (_, limits) => decide('key:all', limits)),
  },
  'charges nothing and rejects nothing at a peek': {
    'charges for a peek': ({ consume }) => ({ consume, peek: consume }),
  },
  'nothing for a rejection': {
    'charges for rejections'(limiter, setup) {
      let rejected = 0
      return deciding(({ allowed, reset }) => ({ reset: reset + (allowed ? rejected : ++rejected) }))(
        limiter,
        setup,
      )
    },
  },
  'fewest remaining': {
    'shows the first limit only': both((decide) => async (key, limits) => ({
      ...(await decide(key, limits)),
      limit: limits[0]?.requests ?? 0,
    })),
  },
  'all come at once': {
    'decides by what it read before others wrote': (limiter) => ({
      async consume(key, limits) {
        const before = await limiter.peek(key, limits)
        await nextTurn()
        const decision = await limiter.consume(key, limits)
        return before.remaining > 0 ? { ...decision, allowed: true } : decision
      },
    }),
  },
  'exactly `remaining` more': {
    'promises one request more': deciding(({ remaining }) => ({ remaining: remaining + 1 })),
  },
  'not a millisecond before': {
    'asks to wait too long': deciding(({ waitMs }) => ({ waitMs: waitMs > 0 ? waitMs + 1 : 0 })),
    'asks to wait too short': deciding(({ waitMs }) => ({ waitMs: Math.max(0, waitMs - 1) })),
  },
  'whole limit again': {
    'resets too late': deciding(({ reset }) => ({ reset: reset + 3 })),
    'resets too early': deciding(({ reset }) => ({ reset: reset - 3 })),
  },
  'clock steps back': {
    'locks out the keys that were charged before the clock stepped back'(_, setup) {
      let latest = 0
      const limiter = createMemoryLimiter({ ban: setup.ban, clock: () => latest })
      return both((decide) => async (key, limits) => {
        const behind = latest - setup.clock()
        latest = Math.max(latest, setup.clock())
        const decision = await decide(key, limits)
        return decision.allowed ? decision : { ...decision, waitMs: decision.waitMs + Math.max(0, behind) }
      })(limiter, setup)
    },
  },
  RangeError: {
    'accepts limits that it cannot count': both((decide) => async (key, limits) => {
      try {
        return await decide(key, limits)
      } catch {
        return decide(key, [{ requests: 1, windowMs: 1 }])
      }
    }),
  },
  'completes the policy': {
    'never bans': (_, { clock }) => createMemoryLimiter({ clock, ban: false }),
    'bans too early': banning('refusals', -1),
  },
  'burst within a second': { 'counts each rejection of a burst': countingFrom(0) },
  'waits after each burst': { 'never ends a streak': countingFrom(1000) },
  'no key without a policy': {
    'bans without a policy': (_, { clock, ban }) =>
      createMemoryLimiter({ clock, ban: ban === false ? {} : ban }),
  },
  'further apart': { 'remembers rejections for too long': banning('withinMs', 10) },
  'not a millisecond longer': { 'bans for too long': banning('firstMs', 1) },
  'twice as long': {
    'doubles bans beyond the longest': banning('longestMs', 86_400_000),
    'remembers bans for too long': banning('rememberMs', 1),
    'remembers bans for too short a time': banning('rememberMs', -1),
  },
}

/** Counts all rejections from so many milliseconds after the first one on. */
function countingFrom(ms: number): BreakLimiter {
  return ({ consume }, { ban, clock }) => {
    let firstAt = Number.POSITIVE_INFINITY
    let counted = 0
    return {
      async consume(key, limits) {
        const decision = await consume(key, limits)
        if (decision.allowed) return decision
        firstAt = Math.min(firstAt, clock())
        if (clock() >= firstAt + ms) counted++
        return { ...decision, banned: ban !== false && counted >= ban.refusals }
      },
    }
  }
}

contractFinds(
  broken,
  (breakIt) => (declare) =>
    rateLimiterContract({
      test: declare,
      createLimiter(setup) {
        const limiter = createMemoryLimiter(setup)
        return { peek: limiter.peek, ...breakIt(limiter, setup) }
      },
    }),
)

test('a case that needs what a limiter cannot do is skipped by the runner, with its reason', () => {
  const capabilities = { clock: false, bans: false }
  const { skipped, run } = declaredBy((declare) =>
    rateLimiterContract({ test: declare, createLimiter: createMemoryLimiter, capabilities }),
  )
  for (const capability of ['clock', 'bans'])
    assert.ok(skipped.some((name) => name.endsWith(`(skipped: options.capabilities.${capability} is false)`)))
  assert.ok(run.length > 5 && run.every((name) => !name.includes('skipped')))
})

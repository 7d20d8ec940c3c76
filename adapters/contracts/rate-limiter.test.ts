import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type BanPolicy, createMemoryLimiter, type Decision, type RateLimiter } from '../../core/index.ts'
import { type LimiterSetup, rateLimiterContract } from './index.ts'
import { type Defects, testDefects, testSkippedCases } from './testing/run-contract.ts'

rateLimiterContract({ test, create: createMemoryLimiter })

type Decider = RateLimiter['consume']
/** Returns the broken methods for a limiter. */
type BreakLimiter = (limiter: RateLimiter, setup: LimiterSetup) => Partial<RateLimiter>

/** Breaks `consume` and `peek` in the same way. */
function breakBoth(breakOne: (decide: Decider) => Decider): BreakLimiter {
  return ({ consume, peek }) => ({ consume: breakOne(consume), peek: breakOne(peek) })
}

/** Changes a limiter's decisions. */
function breakDecision(change: (decision: Decision) => Partial<Decision>): BreakLimiter {
  return breakBoth((decide) => async (key, limits) => {
    const decision = await decide(key, limits)
    return { ...decision, ...change(decision) }
  })
}

/** Changes one option in the ban policy. */
function breakBans(part: keyof BanPolicy, more: number): BreakLimiter {
  return (_, { clock, ban }) =>
    createMemoryLimiter({ clock, ban: ban && { ...ban, [part]: ban[part] + more } })
}

const brokenLimiters: Defects<BreakLimiter> = {
  'the same decisions': {
    'allows every request': breakDecision(() => ({ allowed: true })),
    'reports only the first limit': breakBoth((decide) => async (key, limits) => ({
      ...(await decide(key, limits)),
      limit: limits[0]?.requests ?? 0,
    })),
    'returns a wait that is 1 ms too long': breakDecision(({ waitMs }) => ({
      waitMs: waitMs > 0 ? waitMs + 1 : 0,
    })),
    'returns a wait that is 1 ms too short': breakDecision(({ waitMs }) => ({
      waitMs: Math.max(0, waitMs - 1),
    })),
    'returns a reset that is 1 s late': breakDecision(({ reset }) => ({ reset: reset + 1 })),
    'keeps the first limits for a key': (limiter) => {
      const firstLimits = new Map<string, Parameters<Decider>[1]>()
      return {
        consume(key, limits) {
          if (!firstLimits.has(key)) firstLimits.set(key, limits)
          return limiter.consume(key, firstLimits.get(key) ?? limits)
        },
      }
    },
  },
  'the clock is set back': {
    'ignores a clock that is set back'(_, { clock }) {
      let latest = 0
      return createMemoryLimiter({ ban: false, clock: () => (latest = Math.max(latest, clock())) })
    },
  },
  'the limits change': {
    'keeps waits from larger limits': breakBoth((decide) => async (key, limits) => {
      const { waitMs, ...decision } = await decide(key, limits)
      return { ...decision, waitMs: waitMs * Math.max(1, 100 / decision.limit) }
    }),
  },
  'counts requests separately for each key': {
    'shares one bucket between all keys': breakBoth((decide) => (_, limits) => decide('key:all', limits)),
    'bans without a policy': breakDecision(({ allowed }) => ({ banned: !allowed })),
    'allows one request too many': breakBoth(
      (decide) => (key, limits) =>
        decide(
          key,
          limits.map((limit) => ({ ...limit, requests: limit.requests + 1 })),
        ),
    ),
    'charges for a peek': ({ consume }) => ({ consume, peek: consume }),
    'accepts invalid limits': breakBoth(
      (decide) => (key, limits) => decide(key, limits.length > 1 ? limits : [{ requests: 1, windowMs: 1 }]),
    ),
  },
  'counts concurrent requests': {
    'decides by outdated counts': (limiter) => ({
      async consume(key, limits) {
        const decisionBefore = await limiter.peek(key, limits)
        await nextTurn()
        const decision = await limiter.consume(key, limits)
        return decisionBefore.remaining > 0 ? { ...decision, allowed: true } : decision
      },
    }),
  },
  'bans the same requests': {
    'never bans': (_, { clock }) => createMemoryLimiter({ clock, ban: false }),
    'bans one rejection too late': breakBans('rejections', 1),
    'bans one rejection too early': breakBans('rejections', -1),
    'remembers rejections for too long': breakBans('windowMs', 1_000),
    'exceeds the maximum ban': breakBans('maxBanMs', 86_400_000),
    'remembers bans for too long': breakBans('resetAfterMs', 60_000_000),
    'forgets bans immediately': breakBans('resetAfterMs', -10_000_000),
    'bans for too long': breakBans('firstBanMs', 1),
    'bans for too short a time': breakBans('firstBanMs', -1),
    'counts rejections for requests in flight': countFrom(0),
    'counts rejections 1 s late': countFrom(1_500),
  },
}

/** Returns a limiter that counts rejections only `ms` after the first one. */
function countFrom(ms: number): BreakLimiter {
  return ({ consume }, { ban, clock }) => {
    let firstAt = Number.POSITIVE_INFINITY
    let counted = 0
    return {
      async consume(key, limits) {
        const decision = await consume(key, limits)
        if (decision.allowed) return decision
        firstAt = Math.min(firstAt, clock())
        if (clock() >= firstAt + ms) counted++
        return { ...decision, banned: ban !== false && counted >= ban.rejections }
      },
    }
  }
}

testDefects(
  brokenLimiters,
  (breakIt) => (declare) =>
    rateLimiterContract({
      test: declare,
      create(setup) {
        const limiter = createMemoryLimiter(setup)
        return { ...limiter, ...breakIt(limiter, setup) }
      },
    }),
)

testSkippedCases(
  (declare) => rateLimiterContract({ test: declare, create: createMemoryLimiter, clock: false, bans: false }),
  ...['options.clock is false', 'options.clock is false', 'options.bans is false'],
)

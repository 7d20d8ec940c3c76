import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type BanPolicy, createMemoryLimiter, type Decision, type RateLimiter } from '../../core/index.ts'
import { type LimiterSetup, rateLimiterContract } from './index.ts'
import { type Broken, contractFinds, contractSkips } from './testing/run-contract.ts'

rateLimiterContract({ test, create: createMemoryLimiter })

type Decider = RateLimiter['consume']
/** Returns the methods of a limiter that it breaks. */
type BreakLimiter = (limiter: RateLimiter, setup: LimiterSetup) => Partial<RateLimiter>

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

/** Bans by another policy. */
function banning(part: keyof BanPolicy, more: number): BreakLimiter {
  return (_, { clock, ban }) =>
    createMemoryLimiter({ clock, ban: ban && { ...ban, [part]: ban[part] + more } })
}

const broken: Broken<BreakLimiter> = {
  'over random requests': {
    'admits everything': deciding(() => ({ allowed: true })),
    'shows the first limit only': both((decide) => async (key, limits) => ({
      ...(await decide(key, limits)),
      limit: limits[0]?.requests ?? 0,
    })),
    'asks to wait too long': deciding(({ waitMs }) => ({ waitMs: waitMs > 0 ? waitMs + 1 : 0 })),
    'asks to wait too short': deciding(({ waitMs }) => ({ waitMs: Math.max(0, waitMs - 1) })),
    'resets a second late': deciding(({ reset }) => ({ reset: reset + 1 })),
    'rejects by the limit that it had': (limiter) => {
      const first = new Map<string, Parameters<Decider>[1]>()
      return {
        consume(key, limits) {
          if (!first.has(key)) first.set(key, limits)
          return limiter.consume(key, first.get(key) ?? limits)
        },
      }
    },
  },
  'when the clock steps back': {
    'keeps the time of its latest call'(_, { clock }) {
      let latest = 0
      return createMemoryLimiter({ ban: false, clock: () => (latest = Math.max(latest, clock())) })
    },
  },
  'when its limits change': {
    'owes what it owed under larger limits': both((decide) => async (key, limits) => {
      const { waitMs, ...decision } = await decide(key, limits)
      return { ...decision, waitMs: waitMs * Math.max(1, 100 / decision.limit) }
    }),
  },
  'for each key as': {
    'has one bucket for all': both((decide) => (_, limits) => decide('key:all', limits)),
    'bans without a policy': deciding(({ allowed }) => ({ banned: !allowed })),
    'admits one too many': both(
      (decide) => (key, limits) =>
        decide(
          key,
          limits.map((limit) => ({ ...limit, requests: limit.requests + 1 })),
        ),
    ),
    'charges for a peek': ({ consume }) => ({ consume, peek: consume }),
    'accepts limits that it cannot count': both(
      (decide) => (key, limits) => decide(key, limits.length > 1 ? limits : [{ requests: 1, windowMs: 1 }]),
    ),
  },
  'for concurrent requests': {
    'decides by what it read before others wrote': (limiter) => ({
      async consume(key, limits) {
        const before = await limiter.peek(key, limits)
        await nextTurn()
        const decision = await limiter.consume(key, limits)
        return before.remaining > 0 ? { ...decision, allowed: true } : decision
      },
    }),
  },
  'bans as createMemoryLimiter': {
    'never bans': (_, { clock }) => createMemoryLimiter({ clock, ban: false }),
    'bans a request late': banning('rejections', 1),
    'bans a request early': banning('rejections', -1),
    'remembers rejections for too long': banning('withinMs', 1_000),
    'bans beyond the longest': banning('longestMs', 86_400_000),
    'remembers bans for too long': banning('rememberMs', 60_000_000),
    'forgets bans immediately': banning('rememberMs', -10_000_000),
    'bans for too long': banning('firstMs', 1),
    'bans for too short a time': banning('firstMs', -1),
    'counts those in flight': countingFrom(0),
    'counts a second late': countingFrom(1_500),
  },
}

/** Counts all rejections from `ms` after the first one on. */
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
        return { ...decision, banned: ban !== false && counted >= ban.rejections }
      },
    }
  }
}

contractFinds(
  broken,
  (breakIt) => (declare) =>
    rateLimiterContract({
      test: declare,
      create(setup) {
        const limiter = createMemoryLimiter(setup)
        return { ...limiter, ...breakIt(limiter, setup) }
      },
    }),
)

contractSkips(
  (declare) => rateLimiterContract({ test: declare, create: createMemoryLimiter, clock: false, bans: false }),
  ...['options.clock is false', 'options.clock is false', 'options.bans is false'],
)

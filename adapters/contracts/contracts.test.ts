import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  createMemoryLimiter,
  createMemoryStore,
  type Decision,
  type Limit,
  type Pet,
  type PetStore,
  type RateLimiter,
} from '../../core/index.ts'
import { type LimiterSetup, petStoreContract, rateLimiterContract, type TestFunction } from './index.ts'
import { assertCaught, runContract } from './testing/run-contract.ts'

type BreakStore = (store: PetStore) => Partial<PetStore>

const brokenStores: readonly { defect: string; by: RegExp; breakIt: BreakStore }[] = [
  {
    defect: 'stores categories as doubles',
    by: /category 9007199254740993/,
    breakIt: (store) => ({
      create: (pet) => store.create({ ...pet, categoryId: BigInt(Number(pet.categoryId)) }),
    }),
  },
  {
    defect: 'trims names',
    by: /spaces around/,
    breakIt: (store) => ({ create: (pet) => store.create({ ...pet, name: pet.name.trim() }) }),
  },
  {
    defect: 'composes names',
    by: /decomposed form/,
    breakIt: (store) => ({ create: (pet) => store.create({ ...pet, name: pet.name.normalize('NFC') }) }),
  },
  {
    defect: 'loses what lies beyond 16 bits',
    by: /astral/,
    breakIt: (store) => ({
      create: (pet) => store.create({ ...pet, name: pet.name.replace(/[\u{10000}-\u{10ffff}]/gu, '?') }),
    }),
  },
  {
    defect: 'cuts long names',
    by: /60,000 characters/,
    breakIt: (store) => ({ create: (pet) => store.create({ ...pet, name: pet.name.slice(0, 255) }) }),
  },
  {
    defect: 'sets a status where none was given',
    by: /as it was created/,
    breakIt: (store) => ({ create: (pet) => store.create({ status: 'available', ...pet }) }),
  },
  {
    defect: 'returns another animal than it stores',
    by: /as it was created/,
    breakIt: (store) => ({ create: async (pet) => ({ ...(await store.create(pet)), name: 'Max' }) }),
  },
  {
    defect: 'assigns an id twice',
    by: /none twice/,
    breakIt: (store) => ({ create: async (pet) => ({ ...(await store.create(pet)), id: 1n }) }),
  },
  {
    defect: 'assigns ids that a double cannot hold',
    by: /2\^53 - 1/,
    breakIt: (store) => ({
      async create(pet) {
        const created = await store.create(pet)
        return { ...created, id: created.id + 2n ** 53n }
      },
    }),
  },
  {
    defect: 'finds something under every id',
    by: /id that no animal has/,
    breakIt: (store) => ({ get: async (id) => (await store.get(id)) ?? (await store.list({ limit: 1 }))[0] }),
  },
  {
    defect: 'ignores the limit',
    by: /no more than the limit/,
    breakIt: (store) => ({ list: (query) => store.list({ ...query, limit: 101 }) }),
  },
  {
    defect: 'lists the last first',
    by: /ascending id/,
    breakIt: (store) => ({ list: async (query) => [...(await store.list(query))].reverse() }),
  },
  {
    defect: 'ignores the filter',
    by: /of the requested status/,
    breakIt: (store) => ({ list: ({ status: _, ...query }) => store.list(query) }),
  },
  {
    defect: 'filters only after it has cut the page',
    by: /by status/,
    breakIt: (store) => ({
      list: async ({ status, ...query }) =>
        (await store.list(query)).filter((pet) => status === undefined || pet.status === status),
    }),
  },
  {
    defect: 'lists the animal of `after` again',
    by: /greater than `after`/,
    breakIt: (store) => ({
      list: (query) => store.list(query.after === undefined ? query : { ...query, after: query.after - 1n }),
    }),
  },
  {
    defect: 'treats a negative `after` as a positive one',
    by: /greater than `after`/,
    breakIt: (store) => ({
      list: ({ after = 0n, ...query }) => store.list({ ...query, after: after < 0n ? -after : after }),
    }),
  },
  {
    defect: 'stores only one of those that are created at once',
    by: /created at once/,
    breakIt(store) {
      let pending: Promise<Pet> | undefined
      return {
        async create(pet) {
          pending ??= nextTurn().then(() => store.create(pet))
          const created = await pending
          pending = undefined
          return created
        },
      }
    },
  },
  {
    defect: 'shows an animal only later',
    by: /as soon as/,
    breakIt(store) {
      const late = new Set<bigint>()
      return {
        async create(pet) {
          const created = await store.create(pet)
          late.add(created.id)
          void nextTurn().then(() => late.delete(created.id))
          return created
        },
        get: (id) => (late.has(id) ? undefined : store.get(id)),
      }
    },
  },
]

for (const { defect, by, breakIt } of brokenStores)
  test(`the contract catches a store that ${defect}`, async () => {
    const results = await runContract((declare) =>
      petStoreContract({
        test: declare,
        createStore() {
          const store = createMemoryStore()
          return { create: store.create, get: store.get, list: store.list, ...breakIt(store) }
        },
        scale: 600,
      }),
    )
    assertCaught(results, by)
  })

test('the contract catches a store that loses its animals when it is opened again', async () => {
  const results = await runContract((declare) =>
    petStoreContract({
      test: declare,
      createStore: createMemoryStore,
      reopenStore: () => createMemoryStore(),
    }),
  )
  assertCaught(results, /opened again/)
})

test('the contract closes each store, also that of a case that failed', async () => {
  let open = 0
  await runContract((declare) =>
    petStoreContract({
      test: declare,
      createStore() {
        open++
        return { ...createMemoryStore(), create: () => Promise.reject(new Error('full')) }
      },
      closeStore: () => void open--,
    }),
  )
  assert.equal(open, 0)
})

type Decider = RateLimiter['consume']
/** A limiter with a defect. Without a `peek` it has that of the whole limiter. */
type Broken = { consume: Decider; peek?: Decider }
type BreakLimiter = (limiter: RateLimiter, setup: LimiterSetup) => Broken

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

const brokenLimiters: readonly { defect: string; by: RegExp; breakIt: BreakLimiter }[] = [
  { defect: 'admits everything', by: /rejects the next/, breakIt: deciding(() => ({ allowed: true })) },
  {
    defect: 'admits one too many',
    by: /as many as the limit allows/,
    breakIt: both((decide) => (key, limits) => decide(key, limits.map(oneMore))),
  },
  {
    defect: 'has one bucket for all',
    by: /each key separately/,
    breakIt: both((decide) => (_, limits) => decide('key:all', limits)),
  },
  {
    defect: 'charges for a peek',
    by: /charges nothing and rejects nothing at a peek/,
    breakIt: ({ consume }) => ({ consume, peek: consume }),
  },
  {
    defect: 'charges for rejections',
    by: /nothing for a rejection/,
    breakIt(limiter) {
      let rejected = 0
      return both((decide) => async (key, limits) => {
        const decision = await decide(key, limits)
        if (!decision.allowed) rejected++
        return { ...decision, reset: decision.reset + rejected }
      })(limiter, { clock: () => 0, ban: false })
    },
  },
  {
    defect: 'shows the first limit only',
    by: /fewest remaining/,
    breakIt: both((decide) => async (key, limits) => ({
      ...(await decide(key, limits)),
      limit: limits[0]?.requests ?? 0,
    })),
  },
  {
    defect: 'decides by what it read before others wrote',
    by: /all come at once/,
    breakIt: (limiter) => ({
      async consume(key, limits) {
        const before = await limiter.peek(key, limits)
        await nextTurn()
        const decision = await limiter.consume(key, limits)
        return before.remaining > 0 ? { ...decision, allowed: true } : decision
      },
    }),
  },
  {
    defect: 'promises one request more',
    by: /exactly `remaining` more/,
    breakIt: deciding(({ remaining }) => ({ remaining: remaining + 1 })),
  },
  {
    defect: 'asks to wait too long',
    by: /not a millisecond before/,
    breakIt: deciding(({ waitMs }) => ({ waitMs: waitMs > 0 ? waitMs + 1 : 0 })),
  },
  {
    defect: 'asks to wait too short',
    by: /not a millisecond before/,
    breakIt: deciding(({ waitMs }) => ({ waitMs: Math.max(0, waitMs - 1) })),
  },
  {
    defect: 'resets too late',
    by: /whole limit again/,
    breakIt: deciding(({ reset }) => ({ reset: reset + 3 })),
  },
  {
    defect: 'resets too early',
    by: /whole limit again/,
    breakIt: deciding(({ reset }) => ({ reset: reset - 3 })),
  },
  {
    defect: 'locks out the keys that were charged before the clock stepped back',
    by: /clock steps back/,
    breakIt(_, setup) {
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
  {
    defect: 'accepts limits that it cannot count',
    by: /RangeError/,
    breakIt: both((decide) => async (key, limits) => {
      try {
        return await decide(key, limits)
      } catch {
        return decide(key, [{ requests: 1, windowMs: 1 }])
      }
    }),
  },
  {
    defect: 'never bans',
    by: /completes the policy/,
    breakIt: (_, { clock }) => createMemoryLimiter({ clock, ban: false }),
  },
  {
    defect: 'counts each rejection of a burst',
    by: /burst within a second/,
    breakIt({ consume }, { ban }) {
      let rejections = 0
      return {
        async consume(key, limits) {
          const decision = await consume(key, limits)
          if (!decision.allowed) rejections++
          return { ...decision, banned: ban !== false && rejections >= ban.refusals }
        },
      }
    },
  },
  {
    defect: 'never ends a streak',
    by: /waits after each burst/,
    breakIt({ consume }, { ban, clock }) {
      let streakAt = Number.POSITIVE_INFINITY
      let counted = 0
      return {
        async consume(key, limits) {
          const decision = await consume(key, limits)
          if (decision.allowed) return decision
          streakAt = Math.min(streakAt, clock())
          if (clock() >= streakAt + 1000) counted++
          return { ...decision, banned: ban !== false && counted >= ban.refusals }
        },
      }
    },
  },
  {
    defect: 'bans without a policy',
    by: /no key without a policy/,
    breakIt: (_, { clock, ban }) => createMemoryLimiter({ clock, ban: ban === false ? {} : ban }),
  },
  ...(
    [
      ['bans too early', 'refusals', -1, /completes the policy/],
      ['remembers rejections for too long', 'withinMs', 1, /further apart/],
      ['bans for too long', 'firstMs', 1, /not a millisecond longer/],
      ['doubles bans beyond the longest', 'longestMs', 86_400_000, /twice as long/],
      ['remembers bans for too long', 'rememberMs', 1, /twice as long/],
      ['remembers bans for too short a time', 'rememberMs', -1, /twice as long/],
    ] as const
  ).map(([defect, part, more, by]) => ({
    defect,
    by,
    breakIt: ((_, { clock, ban }) =>
      createMemoryLimiter({
        clock,
        ban: ban && { ...ban, [part]: ban[part] + more },
      })) satisfies BreakLimiter,
  })),
]

function oneMore({ requests, windowMs }: Limit): Limit {
  return { requests: requests + 1, windowMs }
}

for (const { defect, by, breakIt } of brokenLimiters)
  test(`the contract catches a limiter that ${defect}`, async () => {
    const results = await runContract((declare) =>
      rateLimiterContract({
        test: declare,
        createLimiter(setup) {
          const limiter = createMemoryLimiter(setup)
          return { peek: limiter.peek, ...breakIt(limiter, setup) }
        },
      }),
    )
    assertCaught(results, by)
  })

test('a case that needs what a limiter cannot do is skipped by the runner, with its reason', async () => {
  const skipped: string[] = []
  const declared: string[] = []
  const runner: TestFunction = Object.assign((name: string) => declared.push(name), {
    skip: (name: string) => skipped.push(name),
  })
  const createLimiter = createMemoryLimiter
  rateLimiterContract({ test: runner, createLimiter, capabilities: { clock: false, bans: false } })
  assert.ok(skipped.some((name) => name.endsWith('(skipped: options.capabilities.clock is false)')))
  assert.ok(skipped.some((name) => name.endsWith('(skipped: options.capabilities.bans is false)')))
  assert.ok(declared.length > 5 && declared.every((name) => !name.includes('skipped')))
})

test('a runner without a way to skip shows the reason on a case that does nothing', async () => {
  const results = await runContract((declare) =>
    petStoreContract({ test: declare, createStore: createMemoryStore, scale: 0 }),
  )
  const names = results.filter(({ failed }) => !failed).map(({ name }) => name)
  assert.ok(names.some((name) => name.endsWith('(skipped: options.scale is 0)')))
  assert.ok(names.some((name) => name.endsWith('(skipped: no options.reopenStore)')))
})

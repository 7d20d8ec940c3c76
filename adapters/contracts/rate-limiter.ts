import assert from 'node:assert/strict'
import { type BanPolicy, createMemoryLimiter, type MaybePromise, type RateLimiter } from '../../core/index.ts'
import { type CaseClock, createCaseClock } from './case-clock.ts'
import { createRandom, type Random } from './random.ts'
import { type ContractCase, declareCases, type TestFunction } from './runner.ts'

/** How a case sets up its limiter. */
export interface LimiterSetup {
  /** Returns the time of the case in milliseconds since the epoch. It stands still between the steps of the case. */
  readonly clock: () => number
  /** When rejections become a ban; false for never. */
  readonly ban: BanPolicy | false
}

/** How `rateLimiterContract` is set up. */
export interface RateLimiterContractOptions<Limiter extends RateLimiter = RateLimiter> {
  /** The `test` of the test runner. */
  readonly test: TestFunction
  /** Creates a limiter without any counts. Called once for each case. */
  readonly createLimiter: (setup: LimiterSetup) => MaybePromise<Limiter>
  /** Called when a case is over, whether it passed or failed. */
  readonly closeLimiter?: (limiter: Limiter) => MaybePromise<void>
  /** What the limiter supports; all true by default. A case that requires more is skipped. */
  readonly capabilities?: {
    /** It uses the clock of the setup, and no other. */
    readonly clock?: boolean
    /** It bans by the policy of the setup, and uses its clock. */
    readonly bans?: boolean
  }
}

/**
 * Declares a test for each rule of a `RateLimiter` on which the service and its headers rely. Over random requests a
 * limiter must decide as the one of `createMemoryLimiter`: that is what `remaining`, `reset` and `waitMs` mean, and
 * when a ban begins and ends. Besides, its counts must be exact when all requests come at once.
 *
 * @example
 * import { test } from 'node:test'
 * import { createMemoryLimiter } from 'pet-adoption-service'
 * import { rateLimiterContract } from 'pet-adoption-service/contracts'
 *
 * rateLimiterContract({ test, createLimiter: createMemoryLimiter })
 */
export function rateLimiterContract<Limiter extends RateLimiter>(
  options: RateLimiterContractOptions<Limiter>,
): void {
  const { test, createLimiter, closeLimiter, capabilities = {} } = options

  declareCases({
    test,
    cases,
    missing: (need: 'clock' | 'bans') =>
      capabilities[need] === false && `options.capabilities.${need} is false`,
    async open({ ban }) {
      const clock = createCaseClock()
      const setup: LimiterSetup = { clock: clock.now, ban: ban ?? false }
      return { clock, limiter: await createLimiter(setup), reference: createMemoryLimiter(setup) }
    },
    close: ({ limiter }) => closeLimiter?.(limiter),
  })
}

/** A limiter under test, and the one as which it must decide. */
interface Bench {
  readonly clock: CaseClock
  readonly limiter: RateLimiter
  readonly reference: RateLimiter
}

interface LimiterCase extends ContractCase<Bench, 'clock' | 'bans'> {
  /** The policy of the limiter; false by default. */
  readonly ban?: BanPolicy
}

const hourMs = 3_600_000
const threeOfTen = [
  { requests: 10, windowMs: 24 * hourMs },
  { requests: 3, windowMs: hourMs },
]
const policy: BanPolicy = {
  refusals: 5,
  withinMs: 60_000,
  firstMs: 15 * 60_000,
  longestMs: 40 * 60_000,
  rememberMs: 3 * hourMs,
}

const cases: readonly LimiterCase[] = [
  {
    name: 'decides as the limiter in memory does, for each key by itself; a peek and a rejection charge nothing',
    async run({ limiter, reference }) {
      const random = createRandom(0)
      for (let step = 0; step < 100; step++) {
        const key = random.pick(['key:a', 'key:b', 'key:', 'address:2001:db8::', 'key:ä {b}\n'])
        for (const method of ['peek', 'consume'] as const) {
          const { allowed, banned, limit, remaining } = await limiter[method](key, threeOfTen)
          const expected = await reference[method](key, threeOfTen)
          assert.deepEqual(
            { ...expected, allowed, banned, limit, remaining },
            expected,
            `${method} of ${key}`,
          )
        }
      }
    },
  },
  {
    name: 'decides as the limiter in memory does, whenever requests come, with limits that change',
    needs: ['clock'],
    run: overRandomRequests({ changesLimits: true }, (random, windowMs, waitMs) => [
      ...[0, 0, 0, 0, 1, 2 * windowMs, random.whole(0, 2_000), random.whole(0, windowMs)],
      ...[waitMs, Math.max(0, waitMs - 1), 24 * hourMs, random.whole(0, 48 * hourMs)],
    ]),
  },
  {
    name: 'makes no key wait longer than a window when the clock steps back',
    needs: ['clock'],
    async run({ clock, limiter }) {
      for (let i = 0; i < 3; i++) await limiter.consume('key:a', threeOfTen)
      for (const backMs of [1, 2_000, 2_001, 60_000, 24 * hourMs]) {
        clock.advance(-backMs)
        const { allowed, waitMs } = await limiter.consume('key:a', threeOfTen)
        assert.ok(!allowed && waitMs <= hourMs, `waits ${waitMs} ms after ${backMs} ms`)
      }
      clock.advance(hourMs)
      assert.equal((await limiter.consume('key:a', threeOfTen)).allowed, true)
    },
  },
  {
    name: 'bans as the limiter in memory does, whenever requests come',
    needs: ['bans'],
    ban: policy,
    run: overRandomRequests({ changesLimits: false }, (random, _, waitMs) => [
      ...[0, 1_000, 1_000, 1_001, 2_000, 2_000, random.whole(0, 12_000), random.whole(0, 12_000)],
      ...[waitMs, Math.max(0, waitMs - 1), random.whole(0, 70_000), random.whole(0, 70_000)],
      random.pick([policy.firstMs, policy.rememberMs, random.whole(0, 2 * policy.longestMs)]),
    ]),
  },
  {
    name: 'admits exactly as many when all come at once, and gives each a different `remaining`',
    async run({ limiter }) {
      const all = Array.from({ length: 50 }, async () => limiter.consume('key:a', threeOfTen))
      const admitted = (await Promise.all(all)).filter(({ allowed }) => allowed)
      assert.deepEqual(admitted.map(({ remaining }) => remaining).sort(), [0, 1, 2])
    },
  },
  {
    name: 'throws a RangeError for limits that cannot be counted exactly',
    async run({ limiter }) {
      for (const requests of [0, 1.5, 2 ** 53]) {
        const limits = [{ requests, windowMs: 1_000 }]
        await assert.rejects(async () => limiter.consume('key:a', limits), RangeError)
      }
    },
  },
]

/**
 * Compares the limiter with the reference over random requests of several keys.
 *
 * @param advances - Returns by how many milliseconds the clock may advance before a request. `windowMs` is the shortest
 * window; the last request has to wait for `waitMs`.
 */
function overRandomRequests(
  { changesLimits }: { readonly changesLimits: boolean },
  advances: (random: Random, windowMs: number, waitMs: number) => readonly number[],
): LimiterCase['run'] {
  return async ({ clock, limiter, reference }) => {
    for (let seed = 0; seed < 30; seed++) {
      const random = createRandom(seed)
      const windows = Array.from({ length: random.whole(1, 2) }, () =>
        random.pick([60_000, 61_007, 600_000, 24 * hourMs]),
      )
      const randomLimits = () => windows.map((windowMs) => ({ requests: random.whole(1, 6), windowMs }))
      const key = `key:${seed}`
      let limits = randomLimits()
      let waitMs = 0
      for (let step = 0; step < 50; step++) {
        if (changesLimits && random.whole(0, 30) === 0) {
          limits = randomLimits()
          clock.advance(1_000) // within which a limiter applies them
        }
        clock.advance(random.pick(advances(random, Math.min(...windows), waitMs)))
        for (const method of ['consume', 'peek'] as const) {
          const decision = await limiter[method](key, limits)
          assert.deepEqual(decision, await reference[method](key, limits), `${method} ${step} of ${key}`)
          if (method === 'consume') waitMs = decision.waitMs
        }
      }
    }
  }
}

import assert from 'node:assert/strict'
import { type BanPolicy, createMemoryLimiter, type RateLimiter } from '../../core/index.ts'
import { createRandom } from './random.ts'
import { type CaseClock, type ContractOptions, createCaseDeclarer } from './runner.ts'

/** How a test sets up a rate limiter. */
export interface LimiterSetup {
  /** Returns the test's time in milliseconds since the epoch. The time moves only when the test advances it. */
  readonly clock: () => number
  /** The ban policy, or `false` for no bans. */
  readonly ban: BanPolicy | false
}

/** Options for {@link rateLimiterContract}. */
export interface RateLimiterContractOptions<Limiter extends RateLimiter = RateLimiter>
  extends ContractOptions<Limiter, LimiterSetup> {
  /**
   * Whether the limiter uses the clock that the test passes to `create`. Pass `false` to skip the tests that need
   * that clock.
   *
   * @default true
   */
  readonly clock?: boolean
  /**
   * Whether the limiter supports bans. Pass `false` to skip the test for bans.
   *
   * @default true
   */
  readonly bans?: boolean
}

/**
 * Declares tests for a `RateLimiter` implementation. Over random requests, the limiter must make the same decisions as
 * `createMemoryLimiter`, including `remaining`, `reset`, `waitMs` and bans. It must also count concurrent requests
 * exactly.
 *
 * @example
 * import { test } from 'node:test'
 * import { createMemoryLimiter } from 'pet-adoption-service'
 * import { rateLimiterContract } from 'pet-adoption-service/contracts'
 *
 * rateLimiterContract({ test, create: createMemoryLimiter })
 */
export function rateLimiterContract<Limiter extends RateLimiter>(
  options: RateLimiterContractOptions<Limiter>,
): void {
  const declareCase = createCaseDeclarer<Limiter, LimiterSetup>(options, (clock) => ({ clock, ban: false }))
  const declareBans = createCaseDeclarer(options, (clock) => ({ clock, ban: banPolicy }))
  const skipReason = options.clock === false && 'options.clock is false'

  declareCase('counts requests separately for each key, and rejects invalid limits', compareKeys)
  declareCase(
    'makes the same decisions as createMemoryLimiter for random requests',
    (limiter, clock) => compareOverTime(limiter, clock, false),
    skipReason,
  )
  declareCase('requires a wait of at most one window after the clock is set back', stepClockBack, skipReason)
  declareCase('requires a wait of at most one window after the limits change', changeLimits)
  declareBans(
    'bans the same requests as createMemoryLimiter',
    (limiter, clock) => compareOverTime(limiter, clock, banPolicy),
    options.bans === false && 'options.bans is false',
  )
  declareCase('counts concurrent requests exactly', consumeConcurrently)
}

const hourMs = 3_600_000
const hourAndDayLimits = [
  { requests: 10, windowMs: 24 * hourMs },
  { requests: 3, windowMs: hourMs },
]
const banPolicy: BanPolicy = {
  rejections: 5,
  windowMs: 60_000,
  firstBanMs: 15 * 60_000,
  maxBanMs: 40 * 60_000,
  resetAfterMs: 3 * hourMs,
}

/**
 * Compares decisions for several keys, except for times. Peeks must not charge anything, and invalid limits must be
 * rejected.
 */
async function compareKeys(limiter: RateLimiter): Promise<void> {
  const referenceLimiter = createMemoryLimiter({ ban: false })
  const random = createRandom(0)
  for (let step = 0; step < 100; step++) {
    const key = random.pick(['key:a', 'key:b', 'key:', 'address:2001:db8::', 'key:ä {b}\n'])
    for (const method of ['peek', 'consume'] as const) {
      const { allowed, banned, limit, remaining } = await limiter[method](key, hourAndDayLimits)
      const expectedDecision = await referenceLimiter[method](key, hourAndDayLimits)
      assert.deepEqual(
        { ...expectedDecision, allowed, banned, limit, remaining },
        expectedDecision,
        `${method} of ${key}`,
      )
    }
  }
  for (const requests of [0, 1.5, 2 ** 53])
    await assert.rejects(async () => limiter.consume('key:a', [{ requests, windowMs: 1_000 }]), RangeError)
}

async function consumeConcurrently(limiter: RateLimiter): Promise<void> {
  const pendingDecisions = Array.from({ length: 50 }, async () => limiter.consume('key:a', hourAndDayLimits))
  const allowedDecisions = (await Promise.all(pendingDecisions)).filter(({ allowed }) => allowed)
  assert.deepEqual(allowedDecisions.map(({ remaining }) => remaining).sort(), [0, 1, 2])
}

async function stepClockBack(limiter: RateLimiter, clock: CaseClock): Promise<void> {
  for (let i = 0; i < 3; i++) await limiter.consume('key:a', hourAndDayLimits)
  for (const backMs of [1, 2_000, 2_001, 60_000, 24 * hourMs]) {
    clock.advance(-backMs)
    const { allowed, waitMs } = await limiter.consume('key:a', hourAndDayLimits)
    assert.ok(
      !allowed && waitMs <= hourMs,
      `the wait is ${waitMs} ms after the clock was set back by ${backMs} ms`,
    )
  }
  clock.advance(hourMs)
  assert.equal((await limiter.consume('key:a', hourAndDayLimits)).allowed, true)
}

async function changeLimits(limiter: RateLimiter): Promise<void> {
  const withRequests = (requests: number) => hourAndDayLimits.map((limit) => ({ ...limit, requests }))
  for (let i = 0; i < 100; i++) await limiter.consume('key:a', withRequests(100))
  for (const requests of [20, 1, 50, 100]) {
    const { allowed, limit, remaining, waitMs } = await limiter.consume('key:a', withRequests(requests))
    assert.deepEqual([allowed, limit, remaining], [false, requests, 0])
    assert.ok(waitMs <= 24 * hourMs, `waits ${waitMs} ms`)
  }
  assert.equal((await limiter.consume('key:a', withRequests(101))).allowed, true)
}

/** Compares decisions over random times, limits and waits. */
async function compareOverTime(
  limiter: RateLimiter,
  clock: CaseClock,
  ban: BanPolicy | false,
): Promise<void> {
  const referenceLimiter = createMemoryLimiter({ clock: clock.now, ban })
  for (let seed = 0; seed < 30; seed++) {
    const random = createRandom(seed)
    const pickWindow = () => random.pick([60_000, 61_007, 600_000, 24 * hourMs])
    const windows = Array.from({ length: random.integer(1, 2) }, pickWindow)
    const pickLimits = () => windows.map((windowMs) => ({ requests: random.integer(1, 6), windowMs }))
    const key = `key:${seed}`
    let limits = pickLimits()
    let waitMs = 0
    for (let step = 0; step < 50; step++) {
      if (!ban && random.integer(0, 10) === 0) limits = pickLimits()
      const times = [
        ...[
          0,
          0,
          0,
          1,
          1_000,
          1_000,
          1_001,
          2_000,
          2_000,
          random.integer(0, 2_000),
          random.integer(0, 12_000),
        ],
        ...[
          waitMs,
          Math.max(0, waitMs - 1),
          random.integer(0, 70_000),
          random.integer(0, 70_000),
          ...windows,
        ],
        random.pick([
          banPolicy.firstBanMs,
          banPolicy.resetAfterMs,
          random.integer(0, 2 * banPolicy.maxBanMs),
          2 * 24 * hourMs,
        ]),
      ]
      clock.advance(random.pick(times))
      for (const method of ['consume', 'peek'] as const) {
        const decision = await limiter[method](key, limits)
        assert.deepEqual(decision, await referenceLimiter[method](key, limits), `${method} ${step} of ${key}`)
        if (method === 'consume') waitMs = decision.waitMs
      }
    }
  }
}

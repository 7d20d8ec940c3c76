import assert from 'node:assert/strict'
import { type BanPolicy, createMemoryLimiter, type RateLimiter } from '../../core/index.ts'
import { createRandom } from './random.ts'
import { type CaseClock, type ContractOptions, createDeclarer } from './runner.ts'

/** The setup of the limiter of a case. */
export interface LimiterSetup {
  /** Returns the time of the case in milliseconds since the epoch. It stands still between the steps of the case. */
  readonly clock: () => number
  /** The policy of bans; false for no bans. */
  readonly ban: BanPolicy | false
}

/** The options of `rateLimiterContract`. */
export interface RateLimiterContractOptions<Limiter extends RateLimiter = RateLimiter>
  extends ContractOptions<Limiter, LimiterSetup> {
  /** False if the limiter uses another clock than the setup's; true by default. Cases that need it are skipped. */
  readonly clock?: boolean
  /** False if the limiter does not ban by the policy of the setup; true by default. Cases that need it are skipped. */
  readonly bans?: boolean
}

/**
 * Declares a test for each rule of a `RateLimiter` that the service and its headers rely on. Over random requests a
 * limiter must decide like `createMemoryLimiter`, which defines `remaining`, `reset`, `waitMs`, and the start and end
 * of bans. Its counts must also be exact for concurrent requests.
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
  const declare = createDeclarer<Limiter, LimiterSetup>(options, (clock) => ({ clock, ban: false }))
  const declareBans = createDeclarer(options, (clock) => ({ clock, ban: policy }))
  const noClock = options.clock === false && 'options.clock is false'

  declare('decides for each key as createMemoryLimiter, and throws for bad limits', compareKeys)
  declare(
    'decides as createMemoryLimiter over random requests and limits',
    (limiter, clock) => compareTimes(limiter, clock, false),
    noClock,
  )
  declare('makes no key wait longer than a window when the clock steps back', stepBack, noClock)
  declare('makes no key wait longer than a window when its limits change', changeLimits)
  declareBans(
    'bans as createMemoryLimiter over random requests',
    (limiter, clock) => compareTimes(limiter, clock, policy),
    options.bans === false && 'options.bans is false',
  )
  declare('is exact for concurrent requests', callAtOnce)
}

const hourMs = 3_600_000
const threeOfTen = [
  { requests: 10, windowMs: 24 * hourMs },
  { requests: 3, windowMs: hourMs },
]
const policy: BanPolicy = {
  rejections: 5,
  withinMs: 60_000,
  firstMs: 15 * 60_000,
  longestMs: 40 * 60_000,
  rememberMs: 3 * hourMs,
}

/**
 * A peek and a rejection charge nothing. Numbers that depend on the time are not compared, and limits must be
 * countable.
 */
async function compareKeys(limiter: RateLimiter): Promise<void> {
  const reference = createMemoryLimiter({ ban: false })
  const random = createRandom(0)
  for (let step = 0; step < 100; step++) {
    const key = random.pick(['key:a', 'key:b', 'key:', 'address:2001:db8::', 'key:ä {b}\n'])
    for (const method of ['peek', 'consume'] as const) {
      const { allowed, banned, limit, remaining } = await limiter[method](key, threeOfTen)
      const expected = await reference[method](key, threeOfTen)
      assert.deepEqual({ ...expected, allowed, banned, limit, remaining }, expected, `${method} of ${key}`)
    }
  }
  for (const requests of [0, 1.5, 2 ** 53])
    await assert.rejects(async () => limiter.consume('key:a', [{ requests, windowMs: 1_000 }]), RangeError)
}

async function callAtOnce(limiter: RateLimiter): Promise<void> {
  const all = Array.from({ length: 50 }, async () => limiter.consume('key:a', threeOfTen))
  const admitted = (await Promise.all(all)).filter(({ allowed }) => allowed)
  assert.deepEqual(admitted.map(({ remaining }) => remaining).sort(), [0, 1, 2])
}

async function stepBack(limiter: RateLimiter, clock: CaseClock): Promise<void> {
  for (let i = 0; i < 3; i++) await limiter.consume('key:a', threeOfTen)
  for (const backMs of [1, 2_000, 2_001, 60_000, 24 * hourMs]) {
    clock.advance(-backMs)
    const { allowed, waitMs } = await limiter.consume('key:a', threeOfTen)
    assert.ok(!allowed && waitMs <= hourMs, `waits ${waitMs} ms after ${backMs} ms`)
  }
  clock.advance(hourMs)
  assert.equal((await limiter.consume('key:a', threeOfTen)).allowed, true)
}

/** Lowers and raises the limits of keys that have used them up. */
async function changeLimits(limiter: RateLimiter): Promise<void> {
  const withRequests = (requests: number) => threeOfTen.map((limit) => ({ ...limit, requests }))
  for (let i = 0; i < 100; i++) await limiter.consume('key:a', withRequests(100))
  for (const requests of [20, 1, 50, 100]) {
    const { allowed, limit, remaining, waitMs } = await limiter.consume('key:a', withRequests(requests))
    assert.deepEqual([allowed, limit, remaining], [false, requests, 0])
    assert.ok(waitMs <= 24 * hourMs, `waits ${waitMs} ms`)
  }
  assert.equal((await limiter.consume('key:a', withRequests(101))).allowed, true)
}

/** Compares the limiter with the reference over random requests of several keys. */
async function compareTimes(limiter: RateLimiter, clock: CaseClock, ban: BanPolicy | false): Promise<void> {
  const reference = createMemoryLimiter({ clock: clock.now, ban })
  for (let seed = 0; seed < 30; seed++) {
    const random = createRandom(seed)
    const randomWindow = () => random.pick([60_000, 61_007, 600_000, 24 * hourMs])
    const windows = Array.from({ length: random.whole(1, 2) }, randomWindow)
    const randomLimits = () => windows.map((windowMs) => ({ requests: random.whole(1, 6), windowMs }))
    const key = `key:${seed}`
    let limits = randomLimits()
    let waitMs = 0
    for (let step = 0; step < 50; step++) {
      if (!ban && random.whole(0, 10) === 0) limits = randomLimits()
      const times = [
        ...[0, 0, 0, 1, 1_000, 1_000, 1_001, 2_000, 2_000, random.whole(0, 2_000), random.whole(0, 12_000)],
        ...[waitMs, Math.max(0, waitMs - 1), random.whole(0, 70_000), random.whole(0, 70_000), ...windows],
        random.pick([
          policy.firstMs,
          policy.rememberMs,
          random.whole(0, 2 * policy.longestMs),
          2 * 24 * hourMs,
        ]),
      ]
      clock.advance(random.pick(times))
      for (const method of ['consume', 'peek'] as const) {
        const decision = await limiter[method](key, limits)
        assert.deepEqual(decision, await reference[method](key, limits), `${method} ${step} of ${key}`)
        if (method === 'consume') waitMs = decision.waitMs
      }
    }
  }
}

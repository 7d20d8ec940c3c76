import type { BanPolicy, Decision, Limit, RateLimiter } from '../../../core/index.ts'
import type { ContractCase } from '../runner.ts'

/** The time of a case, in ms since the epoch; it stands still but for what the case does. */
export interface CaseClock {
  readonly now: () => number
  advance(ms: number): void
}

/** A limiter under test. */
export interface Bench {
  readonly clock: CaseClock
  /** Charges one request of a key, `key:a` by default. */
  consume(limits: readonly Limit[], key?: string): Promise<Decision>
  /** Returns the numbers of a key, `key:a` by default. */
  peek(limits: readonly Limit[], key?: string): Promise<Decision>
}

export interface LimiterCase extends ContractCase<Bench> {
  /** What the case cannot do without. */
  readonly needs?: 'clock' | 'bans'
  /** False by default. */
  readonly ban?: BanPolicy
}

export const hourMs = 3_600_000

/** Starts where a clock may stand, at a time that is no whole second. */
export function createCaseClock(): CaseClock {
  let time = 1_800_000_000_123
  return {
    now: () => time,
    advance(ms) {
      time += ms
    },
  }
}

export function createBench(limiter: RateLimiter, clock: CaseClock): Bench {
  return {
    clock,
    consume: async (limits, key = 'key:a') => limiter.consume(key, limits),
    peek: async (limits, key = 'key:a') => limiter.peek(key, limits),
  }
}

/** More than any limit of the cases. */
const tooMany = 100

/** Consumes until it is refused. Answers how many were admitted, and the refusal. */
export async function exhaust(
  bench: Bench,
  limits: readonly Limit[],
): Promise<{ admitted: number; refusal: Decision }> {
  for (let admitted = 0; admitted < tooMany; admitted++) {
    const refusal = await bench.consume(limits)
    if (!refusal.allowed) return { admitted, refusal }
  }
  throw new Error(`${tooMany} requests at one moment were admitted`)
}

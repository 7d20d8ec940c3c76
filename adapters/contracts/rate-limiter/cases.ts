import type { BanPolicy, Decision, Limit } from '../../../core/index.ts'
import type { ContractCase } from '../runner.ts'

/** The time of a case, in milliseconds since the epoch. It stands still until the case advances it. */
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

export interface LimiterCase extends ContractCase<'clock' | 'bans'> {
  run(bench: Bench): Promise<void>
  /** The policy of the limiter; false by default. */
  readonly ban?: BanPolicy
}

export const hourMs = 3_600_000

/** Creates a clock that starts at a time which is no whole second. */
export function createCaseClock(): CaseClock {
  let time = 1_800_000_000_123
  return {
    now: () => time,
    advance(ms) {
      time += ms
    },
  }
}

/** Greater than any limit of the cases. */
const tooMany = 100

/** Sends requests until one is rejected. Returns how many were admitted, and the rejection. */
export async function exhaust(
  bench: Bench,
  limits: readonly Limit[],
): Promise<{ admitted: number; rejection: Decision }> {
  for (let admitted = 0; admitted < tooMany; admitted++) {
    const rejection = await bench.consume(limits)
    if (!rejection.allowed) return { admitted, rejection }
  }
  throw new Error(`${tooMany} requests at one moment were admitted`)
}

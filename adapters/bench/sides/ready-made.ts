import type { Scenario } from '../scenarios.ts'
import { limits } from '../world.ts'

/** An answer that is there, whole, before the first request. */
export interface ReadyMade {
  readonly status: number
  /** Names and values in turn; all that ours has but its length. */
  readonly headers: readonly string[]
  readonly body: string
}

export function readyMade({ status, answer, headers }: Scenario): ReadyMade {
  const rateLimit = [
    ['X-RateLimit-Limit', limits.minute],
    ['X-RateLimit-Remaining', limits.minute - 1],
    ['X-RateLimit-Reset', Math.ceil(Date.now() / 1000) + 60],
  ]
  return {
    status,
    headers: ['Content-Type', 'application/json', ...rateLimit.flat().map(String), ...headers],
    body: JSON.stringify(answer),
  }
}

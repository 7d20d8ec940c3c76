import type { Scenario } from '../scenarios.ts'
import { limits } from '../world.ts'

/** A response that is built before the first request. */
export interface FixedResponse {
  readonly status: number
  /** Alternating names and values: the headers of ours, without `Content-Length`. */
  readonly headers: readonly string[]
  readonly body: string
}

export function fixedResponse({ status, responseBody, responseHeaders }: Scenario): FixedResponse {
  const rateLimit = [
    ['X-RateLimit-Limit', limits.minute],
    ['X-RateLimit-Remaining', limits.minute - 1],
    ['X-RateLimit-Reset', Math.ceil(Date.now() / 1000) + 60],
  ]
  return {
    status,
    headers: ['Content-Type', 'application/json', ...rateLimit.flat().map(String), ...responseHeaders],
    body: JSON.stringify(responseBody),
  }
}

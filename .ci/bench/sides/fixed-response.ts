import type { Scenario } from '../scenarios.ts'
import { limits } from '../world.ts'

/** A response that is built before the first request. */
export interface FixedResponse {
  readonly status: number
  /** Alternating names and values: the headers of ours, without `Content-Length`. */
  readonly headers: readonly string[]
  readonly body: string
}

/** Builds the response of a scenario, with `extra` headers. */
export function fixedResponse(
  { status, responseBody, responseHeaders }: Scenario,
  extra: readonly string[] = [],
): FixedResponse {
  const rateLimit = [
    ['X-RateLimit-Limit', limits.minute],
    ['X-RateLimit-Remaining', limits.minute - 1],
    ['X-RateLimit-Reset', Math.ceil(Date.now() / 1000) + 60],
  ]
  return {
    status,
    headers: [
      ...rateLimit.flat().map(String),
      ...['Cache-Control', 'no-store', 'X-Content-Type-Options', 'nosniff'],
      ...extra,
      ...['Content-Type', 'application/json'],
      ...responseHeaders,
    ],
    body: JSON.stringify(responseBody),
  }
}

import { ApiError } from '../errors.ts'
import type { Decision, Limit } from './bucket.ts'

/** The headers that every response carries (spec 8), names and values in turn. */
export function rateLimitHeaders({ limit, remaining, reset }: Decision): string[] {
  return [
    'X-RateLimit-Limit',
    String(limit),
    'X-RateLimit-Remaining',
    String(remaining),
    'X-RateLimit-Reset',
    String(reset),
  ]
}

/** The answer to a request that the limiter refused: how long to wait, in whole seconds, at least one (spec 7.2). */
export function tooManyRequests({ banned, waitMs }: Decision): ApiError {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000))
  return new ApiError(banned ? 'api_key_banned' : 'rate_limit_exceeded', undefined, [
    'Retry-After',
    String(seconds),
  ])
}

/** What holds while the limiter cannot decide, at `now` in ms since the epoch: nothing is admitted before a retry. */
export function undecided([first]: readonly Limit[], now: number): Decision {
  const waitMs = 5_000
  return {
    allowed: false,
    banned: false,
    limit: first?.requests ?? 0,
    remaining: 0,
    reset: Math.ceil((now + waitMs) / 1000),
    waitMs,
  }
}

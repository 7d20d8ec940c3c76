import { ApiError } from '../http/errors.ts'
import type { Decision, Limit } from './bucket.ts'

/** Returns the headers that every response has (spec 8): names and values, alternating. */
export function createRateLimitHeaders({ limit, remaining, reset }: Decision): string[] {
  return [
    'X-RateLimit-Limit',
    String(limit),
    'X-RateLimit-Remaining',
    String(remaining),
    'X-RateLimit-Reset',
    String(reset),
  ]
}

/** Returns the error of a request that the limiter rejected, with `Retry-After` in whole seconds from 1 (spec 7.2). */
export function tooManyRequests({ banned, waitMs }: Decision): ApiError {
  const code = banned ? 'api_key_banned' : 'rate_limit_exceeded'
  const seconds = Math.max(1, Math.ceil(waitMs / 1000))
  return new ApiError(code, undefined, ['Retry-After', String(seconds)])
}

/** Returns what to show while the limiter cannot decide: nothing before a retry. `now` is in ms since the epoch. */
export function createUndecided([first]: readonly Limit[], now: number): Decision {
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

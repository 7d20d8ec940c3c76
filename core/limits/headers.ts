import { ApiError } from '../http/errors.ts'
import type { Decision, Limit } from './bucket.ts'

/** Creates the `X-RateLimit-*` headers (spec 8), as alternating names and values. */
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

/** Creates the 429 for a rejected request, with `Retry-After` in seconds from 1 (spec 7.2). */
export function createRateLimitError({ banned, waitMs }: Decision): ApiError {
  const errorCode = banned ? 'api_key_banned' : 'rate_limit_exceeded'
  const seconds = Math.max(1, Math.ceil(waitMs / 1000))
  return new ApiError(errorCode, undefined, ['Retry-After', String(seconds)])
}

/**
 * Creates the decision that is reported if the limiter fails: no requests remain for 5 s. `now` is in milliseconds
 * since the epoch.
 */
export function createFallbackDecision([first]: readonly Limit[], now: number): Decision {
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

import { isWholeNumber } from '../base/options.ts'
import { ApiError } from '../http/errors.ts'
import type { Limit } from '../limits/bucket.ts'
import { type FixedPlan, isPlan, maxRequests, type Plan, type PlanLimits, toLimits } from '../limits/plans.ts'

/** Whom an API key identifies. */
export interface Caller {
  /**
   * The caller's ID in logs, in events and in the rate limiter. Keys with the same ID share their rate limits. The ID
   * must not be the key.
   */
  readonly id: string
  /** The plan, which determines the rate limits (spec 8). */
  readonly plan: Plan
  /** The caller's own rate limits, which replace the plan's. Required with the plan `enterprise`. */
  readonly limits?: PlanLimits
}

/**
 * Finds the caller that an API key belongs to. While it cannot work, `find` throws a `StoreUnavailableError`, which
 * becomes a 503. Any other error becomes a 500.
 *
 * A caller may have more members than `Caller` declares. The service's `authenticate` returns it with its own type.
 */
export interface KeyStore<Found extends Caller = Caller> {
  /**
   * Returns the caller that a key belongs to, or `undefined` if the key is unknown or has expired.
   *
   * The service calls `find` for each request. If a key was not valid within the last hour, the service calls `find`
   * only while the client address has fewer than 1,000 such calls pending, and at most once per second while the
   * address is rate-limited. There is no limit across addresses: expect as many concurrent calls as the server has
   * requests in flight, and settle each of them.
   *
   * @param token - The key as sent in `Authorization: Bearer <token>`, in ASCII.
   * @param hash - The key's hash, `sha256(token)`. The service always passes it. A store should find keys by it.
   */
  find(token: string, hash?: string): Found | undefined | Promise<Found | undefined>
}

/** The challenge to a request without a key. Only a request with a key gets an `error` attribute (RFC 6750, 3). */
const challenge = 'Bearer realm="pet-adoption-service"'

/** The error for a request without a bearer token (spec 5.3). */
export const missingKeyError: ApiError = new ApiError('missing_api_key', undefined, [
  'WWW-Authenticate',
  challenge,
])

/** The error for an unknown key and for malformed bearer credentials (spec 5.3). */
export const invalidKeyError: ApiError = new ApiError('invalid_api_key', undefined, [
  'WWW-Authenticate',
  `${challenge}, error="invalid_token"`,
])

/** Bearer credentials (RFC 6750, 2.1). */
const bearerPattern = /^bearer +([\w\-.~+/]+=*)$/i
/** Bearer credentials that are malformed, or given twice and joined by a comma. */
const malformedBearerPattern = /^bearer(?:\t| +[^ ])|,\s*bearer\b/i

/** Returns the bearer token in `Authorization`, or the error for a request without a valid one. */
export function readBearerToken(header: string | undefined): string | ApiError {
  if (header === undefined) return missingKeyError
  return (
    bearerPattern.exec(header)?.[1] ??
    (malformedBearerPattern.test(header) ? invalidKeyError : missingKeyError)
  )
}

/**
 * Returns a caller's rate limits.
 *
 * @throws {TypeError} If the caller has no ID, or neither limits nor a plan that has limits.
 */
export function requireLimits(
  { id, plan, limits }: Caller,
  limitsByPlan: Readonly<Record<FixedPlan, readonly Limit[]>>,
): readonly Limit[] {
  if (typeof id !== 'string' || id === '') throw new TypeError('a key store must return callers with an id')
  if (limits && [limits.minute, limits.day].every((requests) => isWholeNumber(requests, 1, maxRequests)))
    return toLimits(limits)
  if (!limits && plan !== 'enterprise' && isPlan(plan)) return limitsByPlan[plan]
  throw new TypeError(`the caller "${id}" needs limits: { minute, day }`)
}

import { isWholeNumber } from '../base/options.ts'
import { ApiError } from '../http/errors.ts'
import type { Limit } from '../limits/bucket.ts'
import { type FixedPlan, isPlan, maxRequests, type Plan, type PlanLimits, toLimits } from '../limits/plans.ts'

/** The caller that an API key names. */
export interface Caller {
  /** Names the caller in logs, in events and in the limiter. Never the key itself. */
  readonly id: string
  /** The plan of the caller (spec 8). */
  readonly plan: Plan
  /** Required with the plan `enterprise`. With another plan, they replace its limits; absent by default. */
  readonly limits?: PlanLimits
}

/**
 * Looks up API keys. `find` returns its result or a promise of it. It throws `StoreUnavailable` while it cannot work,
 * which becomes a 503; any other error becomes a 500. A caller may have more members than `Caller` declares: the
 * service's `authenticate` returns it with its own type.
 */
export interface KeyStore<Found extends Caller = Caller> {
  /**
   * Returns the caller a bearer token belongs to; undefined for a token that is unknown or has expired.
   *
   * The service calls it for each request. A key that has not been valid within the last hour is looked up only while
   * its client address has fewer than 1,000 such lookups pending, and at most once per second while the address is
   * rate-limited. Addresses do not share a bound: expect as many concurrent calls as the server has requests in flight,
   * and settle each of them.
   *
   * @param token ASCII characters.
   * @param hash `sha256(token)`. A store should find keys by it. The service always passes it.
   */
  find(token: string, hash?: string): Found | undefined | Promise<Found | undefined>
}

/** The challenge of a 401. RFC 6750, 3: `error` is added only if the request had a credential. */
const realm = 'Bearer realm="pet-adoption-service"'

/** The error of a request without a credential (spec 5.3). */
export const missingKey: ApiError = new ApiError('missing_api_key', undefined, ['WWW-Authenticate', realm])

/** The error of a request whose credential is not valid (spec 5.3). */
export const invalidKey: ApiError = new ApiError('invalid_api_key', undefined, [
  'WWW-Authenticate',
  `${realm}, error="invalid_token"`,
])

/** The scheme in any case, spaces, and a token (RFC 6750, 2.1). */
const credentials = /^bearer +([\w\-.~+/]+=*)$/i
/** The scheme Bearer with anything but a token after it, or in a header that was repeated. */
const malformed = /^bearer(?:\t| +[^ ])|,\s*bearer\b/i

/** Returns the token of an `Authorization` header, whose repeated values are joined by commas; or the error. */
export function readBearer(header: string | undefined): string | ApiError {
  if (header === undefined) return missingKey
  return credentials.exec(header)?.[1] ?? (malformed.test(header) ? invalidKey : missingKey)
}

/**
 * Checks a caller from a key store. Returns its limits in the form that limiters use: its own, or those of its plan.
 *
 * @throws {TypeError} A key store has returned a caller without an id or without limits. The message names it.
 */
export function requireLimits(
  { id, plan, limits }: Caller,
  limitsByPlan: Readonly<Record<FixedPlan, readonly Limit[]>>,
): readonly Limit[] {
  if (typeof id !== 'string' || id === '') throw new TypeError('a key store must return callers with an id')
  if (limits && [limits.minute, limits.day].every((requests) => isWholeNumber(requests, 1, maxRequests)))
    return toLimits(limits)
  if (!limits && plan !== 'enterprise' && isPlan(plan)) return limitsByPlan[plan]
  throw new TypeError(`the caller "${id}" needs limits: { minute, day }, or a plan that has limits`)
}

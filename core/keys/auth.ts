import { ApiError } from '../http/errors.ts'
import type { Limit } from '../limits/bucket.ts'
import { limitsOf, type Plan, type PlanLimits } from '../limits/plans.ts'

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
 * which becomes a 503; any other error becomes a 500. What it finds may have more members than a `Caller`: `authenticate`
 * of a service returns it with its type.
 */
export interface KeyStore<Found extends Caller = Caller> {
  /**
   * Returns the caller to whom a bearer token belongs; undefined for a token that is unknown or has expired. The token
   * consists of ASCII characters: `sha256(token)` is the name under which a store should know it.
   *
   * A key that was not valid within the last hour is looked up at once, whatever other client addresses send, and so
   * the store alone bounds how many keys it looks up: it must bear a look-up for each request that the server handles
   * at a time, and settle each. Of one address, a thousand such keys are looked up at a time, and further ones once its
   * limit admits them; while its guesses are rejected, one a second is.
   */
  find(token: string): Found | undefined | Promise<Found | undefined>
}

/** The member by which a key store finds a caller by the digest of a token. */
export const findByDigest: unique symbol = Symbol.for('pet-adoption-service.findByDigest')

/** @internal A key store that accepts the digest of the service: a second SHA-256 would take a third of core's time. */
export interface DigestKeyStore extends KeyStore {
  /** The digest is that of `digest` in `sha256.ts`. */
  [findByDigest](digest: string): Caller | undefined | Promise<Caller | undefined>
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
 * Returns the limits of a caller in the form that limiters use: those that the caller has, or else those of its plan.
 *
 * @throws {TypeError} There are neither. The message names the caller and the missing member.
 */
export function limitsOfCaller(
  { id, plan, limits }: Caller,
  limitsByPlan: Readonly<Record<string, readonly Limit[]>>,
): readonly Limit[] {
  const found = limits ? limitsOf(limits) : limitsByPlan[plan]
  if (found) return found
  throw new TypeError(`the caller "${id}" needs limits: { minute, day }, as its plan "${plan}" has none`)
}

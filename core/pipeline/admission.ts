import { chain, type MaybePromise } from '../base/maybe-promise.ts'
import { digest } from '../base/sha256.ts'
import { ApiError } from '../http/errors.ts'
import { type Caller, findByDigest, invalidKey, limitsOfCaller, readBearer } from '../keys/auth.ts'
import { createSeenKeys } from '../keys/seen-keys.ts'
import type { Decision } from '../limits/bucket.ts'
import { tooManyRequests, undecided } from '../limits/headers.ts'
import { createLimitedAddresses } from '../limits/limited-addresses.ts'
import type { Exchange, Guard } from './exchange.ts'
import type { Settings } from './options.ts'

/** Finds out who calls, and charges its limits. The bucket of an anonymous client is that of its address. */
export interface Admission {
  /**
   * Looks up the key. Records the caller, or the reason why the client is anonymous. Returns the error of a request whose key was
   * valid in the last hour and cannot be looked up.
   */
  identify(exchange: Exchange): MaybePromise<ApiError | undefined>
  /** Charges the caller, or the address. Records the decision, and returns the error of a request that is rejected. */
  charge(exchange: Exchange): MaybePromise<ApiError | undefined>
  /** Looks up a key that was withheld, now that the limiter has admitted the address. Charges the caller if the key is valid. */
  identifyWithheld(exchange: Exchange): MaybePromise<ApiError | undefined>
  /** Returns the numbers of the address and charges nothing. */
  peek(exchange: Exchange): MaybePromise<Decision>
  /** Returns the numbers to show while the limiter cannot decide. */
  undecided(exchange: Exchange): Decision
  /** Records for a moment that the address is limited, though it was not charged. */
  limit(exchange: Exchange): void
}

/** How long an address counts as limited after a request past its limit that could not be parsed, in milliseconds. */
const retryMs = 1_000

/** Creates the admission of a service. `guard` turns what a key store throws into the error of the response. */
export function createAdmission(
  { clock, keys, limiter, limits, readClient }: Settings,
  guard: Guard,
): Admission {
  const lookUpDigest = keys[findByDigest]?.bind(keys)
  const seenKeys = createSeenKeys()
  const limitedAddresses = createLimitedAddresses()

  function identify(exchange: Exchange): MaybePromise<ApiError | undefined> {
    const token = readBearer(exchange.request.header('authorization'))
    if (token instanceof ApiError) {
      exchange.keyError = token
      return undefined
    }
    exchange.token = token
    exchange.digest = exchange.request.digest?.(token) ?? digest(token)
    if (allowsLookup(exchange)) return lookUpKey(exchange)
    exchange.isWithheld = true
    exchange.keyError = invalidKey
    return undefined
  }

  /** A limited address cannot go on guessing keys. Keys seen within the last hour still work from it. */
  function allowsLookup(exchange: Exchange): boolean {
    if (limitedAddresses.size === 0) return true
    const now = clock()
    return seenKeys.has(exchange.digest, now) || limitedAddresses.allowsLookup(addressOf(exchange), now)
  }

  function lookUpKey(exchange: Exchange): MaybePromise<ApiError | undefined> {
    return chain(guard(findKey, exchange), (found) => recordCaller(found, exchange))
  }

  function findKey({ token, digest }: Exchange): MaybePromise<Caller | undefined> {
    return lookUpDigest ? lookUpDigest(digest) : keys.find(token)
  }

  function recordCaller(found: Caller | ApiError | undefined, exchange: Exchange): ApiError | undefined {
    if (found && !(found instanceof ApiError)) {
      exchange.limits = limitsOfCaller(found, limits)
      exchange.caller = found
      seenKeys.add(exchange.digest, clock())
      return undefined
    }
    // Its address is not charged: the key may still be valid.
    if (found && seenKeys.has(exchange.digest, clock())) return found
    exchange.keyError = found ?? invalidKey
    if (!found) seenKeys.delete(exchange.digest)
    return undefined
  }

  function charge(exchange: Exchange): MaybePromise<ApiError | undefined> {
    const { caller, limits } = exchange
    const key = caller ? `key:${caller.id}` : `address:${addressOf(exchange)}`
    exchange.isLimiterAsked = true
    return chain(limiter.consume(key, limits), (decision) => recordDecision(decision, exchange))
  }

  function recordDecision(decision: Decision, exchange: Exchange): ApiError | undefined {
    const { allowed } = requireDecision(decision)
    exchange.decision = decision
    if (!exchange.caller) limitedAddresses.record(addressOf(exchange), decision, clock())
    return allowed ? undefined : tooManyRequests(decision)
  }

  function identifyWithheld(exchange: Exchange): MaybePromise<ApiError | undefined> {
    return exchange.isWithheld
      ? chain(lookUpKey(exchange), (error) => chargeCaller(error, exchange))
      : undefined
  }

  function chargeCaller(error: ApiError | undefined, exchange: Exchange): MaybePromise<ApiError | undefined> {
    return exchange.caller ? charge(exchange) : error
  }

  function addressOf(exchange: Exchange): string {
    exchange.address ??= readClient(exchange.request)
    return exchange.address
  }

  return {
    identify,
    charge,
    identifyWithheld,
    peek: (exchange) =>
      chain(limiter.peek(`address:${addressOf(exchange)}`, limits.anonymous), requireDecision),
    undecided: (exchange) => undecided(exchange.limits, clock()),
    limit: (exchange) =>
      limitedAddresses.record(addressOf(exchange), { allowed: false, waitMs: retryMs }, clock()),
  }
}

/** A limiter that breaks its contract fails here, not where its numbers are written. */
function requireDecision(decision: Decision): Decision {
  if (typeof decision?.allowed !== 'boolean') throw new TypeError('the limiter returned no decision')
  return decision
}

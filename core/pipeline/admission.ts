import { Generations } from '../base/generations.ts'
import { attempt, chain, type MaybePromise } from '../base/maybe-promise.ts'
import { digest } from '../base/sha256.ts'
import { ApiError } from '../http/errors.ts'
import { type Caller, findByDigest, invalidKey, limitsOfCaller, readBearer } from '../keys/auth.ts'
import { Lookups } from '../keys/lookups.ts'
import type { Decision } from '../limits/bucket.ts'
import { tooManyRequests, undecided } from '../limits/headers.ts'
import type { Exchange } from './exchange.ts'
import type { ServiceSettings } from './options.ts'

/** Finds out who calls, and charges its limits. The bucket of an anonymous client is that of its address. */
export interface Admission {
  /**
   * Looks up the key. Records the caller, or the reason why the client is anonymous. Returns the error of a request
   * whose key was valid in the last hour and cannot be looked up.
   */
  identify(exchange: Exchange): MaybePromise<ApiError | undefined>
  /**
   * Charges the caller, or the address. Records the decision, and returns the error of a request that is rejected. A
   * key that was withheld is looked up once the address is admitted, and charged if it is valid. Fails as the limiter
   * does.
   */
  charge(exchange: Exchange): MaybePromise<ApiError | undefined>
  /** Records the numbers of the address, and charges nothing. Fails as the limiter does. */
  peek(exchange: Exchange): MaybePromise<undefined>
  /** Returns the numbers that were recorded last; if the limiter could not decide, those to show meanwhile. */
  numbersOf(exchange: Exchange): Decision
}

/** For how long a key counts as seen after it was last valid, in milliseconds. */
const seenForMs = 3_600_000
/** About 5 MB. */
const maxSeen = 50_000

/** Creates the admission of a service. `toApiError` turns what a part throws into the error of the response. */
export function createAdmission(
  { clock, keys, limiter, limits }: ServiceSettings,
  toApiError: (cause: unknown, exchange: Exchange) => ApiError,
): Admission {
  const findDigest = keys[findByDigest]?.bind(keys)
  /** When keys were last valid, by their SHA-256: the keys themselves are not stored. */
  const validAt = new Generations<number>(maxSeen)
  const lookups = new Lookups()

  function identify(exchange: Exchange): MaybePromise<ApiError | undefined> {
    const token = readBearer(exchange.request.header('authorization'))
    if (token instanceof ApiError) {
      exchange.keyError = token
      return undefined
    }
    exchange.token = token
    exchange.digest = exchange.request.digest?.(token) ?? digest(token)
    exchange.at = clock()
    if (exchange.at - (validAt.get(exchange.digest) ?? Number.NaN) < seenForMs) exchange.key = 'seen'
    else exchange.key = lookups.begin(exchange.address, exchange.at) ? 'unseen' : 'withheld'
    if (exchange.key !== 'withheld') return lookUp(exchange)
    exchange.keyError = invalidKey
    return undefined
  }

  function lookUp(exchange: Exchange): MaybePromise<ApiError | undefined> {
    return chain(attempt(find, toApiError, exchange), recordCaller, exchange)
  }

  function find({ token, digest }: Exchange): MaybePromise<Caller | undefined> {
    return findDigest ? findDigest(digest) : keys.find(token)
  }

  function recordCaller(found: Caller | ApiError | undefined, exchange: Exchange): ApiError | undefined {
    if (exchange.key === 'unseen') lookups.end(exchange.address)
    if (found instanceof ApiError) {
      // The address is not charged for a key that may still be valid.
      if (exchange.key === 'seen') return found
      exchange.keyError = found
    } else if (found) {
      exchange.limits = limitsOfCaller(found, limits)
      exchange.caller = found
      validAt.add(exchange.digest, exchange.at, exchange.at, exchange.at + seenForMs)
    } else {
      exchange.keyError = invalidKey
      validAt.delete(exchange.digest)
    }
    return undefined
  }

  function charge(exchange: Exchange): MaybePromise<ApiError | undefined> {
    const { caller, limits } = exchange
    exchange.isLimiterAsked = true
    const limiterKey = caller ? `key:${caller.id}` : `address:${exchange.address}`
    return chain(limiter.consume(limiterKey, limits), recordDecision, exchange)
  }

  function peek(exchange: Exchange): MaybePromise<undefined> {
    exchange.isLimiterAsked = true
    return chain(limiter.peek(`address:${exchange.address}`, limits.anonymous), recordNumbers, exchange)
  }

  /** A limiter that breaks its contract fails here, not where its numbers are written. */
  function recordNumbers(numbers: Decision, exchange: Exchange): undefined {
    if (typeof numbers?.allowed !== 'boolean') throw new TypeError('the limiter returned no decision')
    exchange.decision = numbers
  }

  function recordDecision(decision: Decision, exchange: Exchange): MaybePromise<ApiError | undefined> {
    recordNumbers(decision, exchange)
    const { key, caller } = exchange
    if (!decision.allowed) {
      if (key === 'unseen' && !caller) lookups.reject(exchange.address, clock())
      return tooManyRequests(decision)
    }
    if (key !== 'withheld') return undefined
    exchange.key = 'resumed'
    return chain(lookUp(exchange), (error) => (exchange.caller ? charge(exchange) : error))
  }

  return {
    identify,
    charge,
    peek,
    numbersOf: ({ decision, limits }) => decision ?? undecided(limits, attempt(clock, Date.now) as number),
  }
}

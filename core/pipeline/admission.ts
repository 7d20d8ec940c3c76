import { createRecent } from '../base/generations.ts'
import { attempt, chain, type MaybePromise } from '../base/maybe-promise.ts'
import { digest } from '../base/sha256.ts'
import { ApiError } from '../http/errors.ts'
import { type Caller, findByDigest, invalidKey, limitsOfCaller, readBearer } from '../keys/auth.ts'
import { createLookups } from '../keys/lookups.ts'
import type { Decision } from '../limits/bucket.ts'
import { tooManyRequests, undecided } from '../limits/headers.ts'
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
}

/** For how long a key counts as seen after it was last valid, in milliseconds. */
const seenForMs = 3_600_000
/** About 5 MB. */
const maxSeen = 50_000

/** Creates the admission of a service. `guard` turns what a key store throws into the error of the response. */
export function createAdmission({ clock, keys, limiter, limits }: Settings, guard: Guard): Admission {
  const lookUpDigest = keys[findByDigest]?.bind(keys)
  /** The keys that were valid within the last hour, by their SHA-256: the keys themselves are not stored. */
  const seenKeys = createRecent(seenForMs, maxSeen)
  const lookups = createLookups()

  function identify(exchange: Exchange): MaybePromise<ApiError | undefined> {
    const token = readBearer(exchange.request.header('authorization'))
    if (token instanceof ApiError) {
      exchange.keyError = token
      return undefined
    }
    exchange.token = token
    exchange.digest = exchange.request.digest?.(token) ?? digest(token)
    return lookUpInTurn(exchange)
  }

  /** Keys that were seen within the last hour need no turn. */
  function lookUpInTurn(exchange: Exchange): MaybePromise<ApiError | undefined> {
    const now = clock()
    if (seenKeys.has(exchange.digest, now)) return lookUpKey(exchange)
    const turn = lookups.begin(exchange.address, now)
    if (typeof turn === 'object')
      return turn.then((failure) => (failure ? recordCaller(failure, exchange) : lookUpInTurn(exchange)))
    exchange.turn = turn
    if (turn) return lookUpKey(exchange)
    exchange.keyError = invalidKey
    return undefined
  }

  function lookUpKey(exchange: Exchange): MaybePromise<ApiError | undefined> {
    return chain(guard(findKey, exchange), (found) => recordCaller(found, exchange))
  }

  function findKey({ token, digest }: Exchange): MaybePromise<Caller | undefined> {
    return lookUpDigest ? lookUpDigest(digest) : keys.find(token)
  }

  function recordCaller(found: Caller | ApiError | undefined, exchange: Exchange): ApiError | undefined {
    if (found instanceof ApiError) {
      endLookup(exchange, found)
      // Its address is not charged: the key may still be valid.
      if (seenKeys.has(exchange.digest, clock())) return found
      exchange.keyError = found
    } else if (found) {
      endLookup(exchange, true)
      exchange.limits = limitsOfCaller(found, limits)
      exchange.caller = found
      seenKeys.add(exchange.digest, clock())
    } else {
      exchange.keyError = invalidKey
      seenKeys.delete(exchange.digest)
    }
    return undefined
  }

  function charge(exchange: Exchange): MaybePromise<ApiError | undefined> {
    exchange.isLimiterAsked = true
    return chain(guard(consume, exchange), (decision) => recordDecision(decision, exchange))
  }

  function consume(exchange: Exchange): MaybePromise<Decision> {
    const { caller, limits } = exchange
    const key = caller ? `key:${caller.id}` : `address:${exchange.address}`
    return chain(limiter.consume(key, limits), requireDecision)
  }

  function recordDecision(decision: Decision | ApiError, exchange: Exchange): ApiError | undefined {
    const isGuess = endLookup(exchange, false)
    if (decision instanceof ApiError) return decision
    exchange.decision = decision
    if (decision.allowed) return undefined
    if (isGuess) lookups.reject(exchange.address, clock())
    return tooManyRequests(decision)
  }

  /** Ends the look-up of an unseen key, if it has not ended. Returns whether it had not. */
  function endLookup(exchange: Exchange, result: boolean | ApiError): boolean {
    if (!exchange.turn) return false
    exchange.turn = undefined
    lookups.end(exchange.address, result)
    return true
  }

  function identifyWithheld(exchange: Exchange): MaybePromise<ApiError | undefined> {
    if (exchange.turn !== false) return undefined
    return chain(lookUpKey(exchange), (error) => (exchange.caller ? charge(exchange) : error))
  }

  return {
    identify,
    charge,
    identifyWithheld,
    peek: (exchange) => chain(limiter.peek(`address:${exchange.address}`, limits.anonymous), requireDecision),
    undecided: (exchange) => undecided(exchange.limits, attempt(clock, Date.now) as number),
  }
}

/** A limiter that breaks its contract fails here, not where its numbers are written. */
function requireDecision(decision: Decision): Decision {
  if (typeof decision?.allowed !== 'boolean') throw new TypeError('the limiter returned no decision')
  return decision
}

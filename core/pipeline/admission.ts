import { ExpiringMap } from '../base/expiring-map.ts'
import type { MaybePromise } from '../base/maybe-promise.ts'
import { isWholeNumber } from '../base/options.ts'
import { sha256 } from '../base/sha256.ts'
import { ApiError } from '../http/errors.ts'
import type { ServiceRequest } from '../http/http.ts'
import { type Caller, invalidKeyError, readBearerToken, requireLimits } from '../keys/auth.ts'
import { LookupThrottle } from '../keys/lookup-throttle.ts'
import type { Decision } from '../limits/bucket.ts'
import { createRateLimitError } from '../limits/headers.ts'
import type { ServiceSettings } from './options.ts'
import type { RequestState } from './request-state.ts'

/**
 * Authenticates requests and charges them to their rate limits. Each method stores its result in the request's state.
 */
export interface Admission {
  /**
   * Finds the caller, and charges the request to the caller or to the client address. Returns a 429, or `undefined` if
   * the request may proceed. A missing or invalid key sets `state.keyError`.
   */
  admit(state: RequestState): Promise<ApiError | undefined>
  /** Charges a request without looking up its key. */
  charge(state: RequestState): Promise<ApiError | undefined>
  /** Reads the client address's rate limit without charging a request. */
  peek(state: RequestState): Promise<undefined>
}

/** How long a key counts as known after it was last valid. */
const knownKeyTtlMs = 3_600_000
/** Maximum number of known keys to remember. They take about 10 MB. */
const maxKnownKeys = 50_000

/** The error for a key that is not looked up now. The key may be valid, so this error is never a ban. */
const lookupDeferredError = new ApiError('rate_limit_exceeded', undefined, ['Retry-After', '2'])

/** The API key in a request. */
interface BearerKey {
  /** The `Authorization` header that contained the key. */
  readonly header: string | undefined
  readonly token: string
  /** The token's SHA-256 hash. */
  readonly hash: string
}

/** Creates the functions that authenticate and charge requests. */
export function createAdmission({ clock, keys, limiter, limits }: ServiceSettings): Admission {
  /** When each known key was last valid, by hash. The keys themselves are not stored. */
  const knownKeys = new ExpiringMap<number>(maxKnownKeys)
  /**
   * The latest key on each connection, so that a client's key is hashed once. On Node 20, `getPet` handles 87 % as many
   * requests as bare `node:http`, and 83 % without this map.
   */
  const latestKeys = new WeakMap<object, BearerKey>()
  const lookupThrottle = new LookupThrottle()

  /** Returns the API key in a request, or a 401 if there is no valid key. */
  function readKey(request: ServiceRequest): BearerKey | ApiError {
    const header = request.header('authorization')
    const latestKey = latestKeys.get(request.connection as object) // `get` returns undefined if there is no connection
    if (latestKey && latestKey.header === header) return latestKey
    const token = readBearerToken(header)
    if (token instanceof ApiError) return token
    const key = { header, token, hash: sha256(token) }
    if (request.connection) latestKeys.set(request.connection, key)
    return key
  }

  async function admit(state: RequestState): Promise<ApiError | undefined> {
    const key = readKey(state.request)
    if (key instanceof ApiError) {
      state.keyError = key
      return charge(state)
    }
    const { token, hash } = key
    const nowMs = clock()
    const isKnown = nowMs - (knownKeys.get(hash) ?? -Infinity) < knownKeyTtlMs
    if (!isKnown && !lookupThrottle.tryBegin(state.clientAddress, nowMs)) return lookupDeferredError
    let caller: Caller | undefined
    try {
      caller = await keys.find(token, hash)
    } finally {
      if (!isKnown) lookupThrottle.end(state.clientAddress)
    }
    if (caller) {
      state.limits = requireLimits(caller, limits)
      state.caller = caller
      knownKeys.set(hash, nowMs, nowMs, nowMs + knownKeyTtlMs)
    } else {
      state.keyError = invalidKeyError
      knownKeys.delete(hash)
    }
    return applyDecision(state, await consume(state)) // `charge` would create another promise
  }

  async function charge(state: RequestState): Promise<ApiError | undefined> {
    return applyDecision(state, await consume(state))
  }

  function consume(state: RequestState): MaybePromise<Decision> {
    state.hasCalledLimiter = true
    const { caller, limits } = state
    return limiter.consume(caller ? `key:${caller.id}` : `address:${state.clientAddress}`, limits)
  }

  function applyDecision(state: RequestState, decision: Decision): ApiError | undefined {
    checkDecision(decision)
    state.decision = decision
    if (!state.caller) lookupThrottle.recordDecision(state.clientAddress, decision, clock())
    return decision.allowed ? undefined : createRateLimitError(decision)
  }

  async function peek(state: RequestState): Promise<undefined> {
    state.hasCalledLimiter = true
    const decision = await limiter.peek(`address:${state.clientAddress}`, limits.anonymous)
    checkDecision(decision)
    state.decision = decision
  }

  return { admit, charge, peek }
}

/** Checks a decision before its numbers are sent in headers. */
function checkDecision(decision: Decision): void {
  const { allowed, limit, remaining, reset, waitMs } = decision
  const isDecision =
    typeof allowed === 'boolean' &&
    isWholeNumber(limit, 0) &&
    isWholeNumber(remaining, 0) &&
    isWholeNumber(reset, 0) &&
    Number.isFinite(waitMs)
  if (!isDecision) throw new TypeError('a limiter must return decisions whose numbers are integers')
}

import { ExpiringMap } from '../base/expiring-map.ts'
import { isWholeNumber } from '../base/options.ts'
import { sha256 } from '../base/sha256.ts'
import { ApiError } from '../http/errors.ts'
import type { ServiceRequest } from '../http/http.ts'
import { type Caller, invalidKey, readBearer, requireLimits } from '../keys/auth.ts'
import { Lookups } from '../keys/lookups.ts'
import type { Decision } from '../limits/bucket.ts'
import { tooManyRequests } from '../limits/headers.ts'
import type { ServiceSettings } from './options.ts'
import type { RequestState } from './request-state.ts'

/** Finds the caller of a request, and charges its limits. The methods fail as the key store and the limiter do. */
export interface Admission {
  /**
   * Reads the key and finds its caller. Charges the caller, or the client address if there is none. Records what it
   * finds in the state. Returns the error of a request that is rejected.
   */
  admit(state: RequestState): Promise<ApiError | undefined>
  /** Charges the client address. Returns the error of a request that is rejected. */
  chargeAddress(state: RequestState): Promise<ApiError | undefined>
  /** Records the state of the client address's bucket, and charges nothing. */
  peek(state: RequestState): Promise<undefined>
}

/** Time a key stays known after it was last valid, in milliseconds. */
const knownForMs = 3_600_000
/** Maximum number of known keys that are stored: about 10 MB. */
const maxKnown = 50_000

/** The error of a request whose key lookup is deferred. The key may be valid, so this is never a ban. */
const deferred = new ApiError('rate_limit_exceeded', undefined, ['Retry-After', '2'])

/** An API key in a request. */
interface Key {
  /** The value of `Authorization`. */
  readonly header: string | undefined
  readonly token: string
  /** The SHA-256 of the token. */
  readonly hash: string
}

/** Creates the admission of a service. */
export function createAdmission({ clock, keys, limiter, limits }: ServiceSettings): Admission {
  /** The time each key was last valid, by its SHA-256. The keys themselves are not stored. */
  const validAt = new ExpiringMap<number>(maxKnown)
  /**
   * Memoizes the latest key of each connection: getPet on Node 20 has 0.87 of the rate of bare `node:http` instead of
   * 0.83. An entry lives as long as its connection.
   */
  const latestKeys = new WeakMap<object, Key>()
  const lookups = new Lookups()

  /** Returns the key of a request, or the error of a request without a valid one. */
  function readKey(request: ServiceRequest): Key | ApiError {
    const header = request.header('authorization')
    const latest = latestKeys.get(request.connection as object) // nothing is found without one
    if (latest && latest.header === header) return latest
    const token = readBearer(header)
    if (token instanceof ApiError) return token
    const key = { header, token, hash: sha256(token) }
    if (request.connection) latestKeys.set(request.connection, key)
    return key
  }

  async function admit(state: RequestState): Promise<ApiError | undefined> {
    const key = readKey(state.request)
    if (key instanceof ApiError) {
      state.keyError = key
      return chargeAddress(state)
    }
    const { token, hash } = key
    const now = clock()
    const isKnown = now - (validAt.get(hash) ?? -Infinity) < knownForMs
    if (!isKnown && !lookups.begin(state.address, now)) return deferred
    let caller: Caller | undefined
    try {
      caller = await keys.find(token, hash)
    } finally {
      if (!isKnown) lookups.end(state.address)
    }
    if (!caller) {
      state.keyError = invalidKey
      validAt.delete(hash)
      return chargeAddress(state)
    }
    state.limits = requireLimits(caller, limits)
    state.caller = caller
    validAt.set(hash, now, now, now + knownForMs)
    return charge(state, `key:${caller.id}`)
  }

  async function chargeAddress(state: RequestState): Promise<ApiError | undefined> {
    const error = await charge(state, `address:${state.address}`)
    if (state.decision) lookups.record(state.address, state.decision, clock()) // always set after a charge
    return error
  }

  async function charge(state: RequestState, key: string): Promise<ApiError | undefined> {
    state.hasCalledLimiter = true
    state.decision = readDecision(await limiter.consume(key, state.limits))
    return state.decision.allowed ? undefined : tooManyRequests(state.decision)
  }

  async function peek(state: RequestState): Promise<undefined> {
    state.hasCalledLimiter = true
    state.decision = readDecision(await limiter.peek(`address:${state.address}`, limits.anonymous))
  }

  return { admit, chargeAddress, peek }
}

/** Checks a decision of a limiter, before its numbers reach a response. Returns it. */
function readDecision(decision: Decision): Decision {
  const { allowed, limit, remaining, reset, waitMs } = decision
  const isDecision =
    typeof allowed === 'boolean' &&
    isWholeNumber(limit, 0) &&
    isWholeNumber(remaining, 0) &&
    isWholeNumber(reset, 0) &&
    Number.isFinite(waitMs)
  if (!isDecision) throw new TypeError('a limiter must return decisions with whole numbers')
  return decision
}

import { type Caller, findByDigest, invalidKey, limitsOfCaller, readBearer } from './auth.ts'
import { bodyTooLarge } from './body.ts'
import { isPreflight, preflightHeaders } from './cors.ts'
import { ApiError } from './errors.ts'
import { anonymousLimits, createExchange, type Exchange, type Result } from './exchange.ts'
import { createHandlers } from './handlers.ts'
import { createHooks } from './hooks.ts'
import { BodyFailure, isBodyFailure, type ServiceRequest, type ServiceResponse } from './http.ts'
import { httpError } from './http-error.ts'
import { internals, type Peer, type ServiceInternals } from './internals.ts'
import type { Decision } from './limits/bucket.ts'
import { rateLimitHeaders, tooManyRequests, undecided } from './limits/headers.ts'
import { createLimitedAddresses } from './limits/limited-addresses.ts'
import { attempt, chain, isThenable, type MaybePromise } from './maybe-promise.ts'
import { type Operation, route } from './operations.ts'
import { readOptions, type ServiceOptions } from './options.ts'
import { createRespond } from './respond.ts'
import { createSeenKeys } from './seen-keys.ts'
import { digest } from './sha256.ts'
import { parseTarget } from './target.ts'
import { isUnavailable } from './unavailable.ts'

/** The service. A mount passes it the requests of a server. */
export interface PetService {
  /** The path at which the interface begins, such as `/v1`. */
  readonly basePath: string
  /** Returns whether a request target is below the base path. A mount leaves other targets to other routes. */
  owns(target: string): boolean
  /** Handles a request. The response to a target outside the base path is a 404. Never throws, never rejects. */
  handle(request: ServiceRequest): MaybePromise<ServiceResponse>
}

/** How long an address counts as limited after a request past its limit that could not be parsed, in milliseconds. */
const retryMs = 1_000

/** A step of the pipeline returns the result that ends the request, or undefined to go on. */
type Step = (exchange: Exchange) => MaybePromise<Result | undefined>

/**
 * Creates the service from its parts. It starts no timer, logs nothing and touches no global.
 *
 * @param options See `ServiceOptions`; only `keys` is required.
 * @throws {TypeError} An option is invalid or unknown; the message names it.
 * @example
 * import { createKeyStore, createPetService, sha256 } from 'pet-adoption-service'
 * import { createFetchHandler } from 'pet-adoption-service/fetch'
 *
 * const keys = createKeyStore([{ id: 'shelter', sha256: sha256('my-first-long-api-key'), plan: 'pro' }])
 * export default { fetch: createFetchHandler(createPetService({ keys })) }
 */
export function createPetService(options: ServiceOptions): PetService {
  const settings = readOptions(options)
  const { basePath, clock, cors, keys, limiter, readClient } = settings
  const lookUpDigest = keys[findByDigest]?.bind(keys)
  const handlers = createHandlers(settings)
  const hooks = createHooks(settings)
  const respond = createRespond(settings, hooks)
  const seenKeys = createSeenKeys()
  const limitedAddresses = createLimitedAddresses()
  limiter.onFailure?.((cause) => hooks.report(cause))

  /** The pipeline: every request takes these steps in this order, and the first result ends it. */
  const steps: readonly Step[] = [
    matchBasePath,
    respondToPreflight,
    identifyCaller,
    chargeLimits,
    identifyWithheldCaller,
    rejectInvalidHttp,
    requireKey,
    findOperation,
    performOperation,
  ]

  function handle(request: ServiceRequest): MaybePromise<ServiceResponse> {
    return run(begin(request), 0)
  }

  function begin(request: ServiceRequest): Exchange {
    return createExchange(request, hooks.notifies ? performance.now() : 0, hooks.nextRequestId())
  }

  function run(exchange: Exchange, first: number): MaybePromise<ServiceResponse> {
    for (let i = first; ; i++) {
      const step = steps[i] as Step // the last step always returns a result
      const result = attempt(step, toApiError, exchange)
      if (isThenable(result))
        return result.then((late) => (late ? finish(exchange, late) : run(exchange, i + 1)))
      if (result) return finish(exchange, result)
    }
  }

  function matchBasePath(exchange: Exchange): Result | undefined {
    const { request } = exchange
    const target = parseTarget(request.target)
    exchange.target = target
    exchange.httpError = httpError(request, target)
    if (target && owns(target.path))
      exchange.route = route(request.method, target.path.slice(basePath.length))
    else if (!exchange.httpError) return new ApiError('route_not_found')
    return undefined
  }

  function respondToPreflight({ request, route, httpError }: Exchange): Result | undefined {
    if (cors.length === 0 || !route || httpError || !isPreflight(request)) return undefined
    return { status: 204, headers: preflightHeaders(cors, request, route.allow), body: undefined }
  }

  function identifyCaller(exchange: Exchange): MaybePromise<undefined> {
    const token = readBearer(exchange.request.header('authorization'))
    if (token instanceof ApiError) {
      exchange.keyError = token
      return undefined
    }
    exchange.token = token
    exchange.digest = digest(token)
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

  function lookUpKey(exchange: Exchange): MaybePromise<undefined> {
    return chain(attempt(findKey, toApiError, exchange), recordCaller, exchange)
  }

  function findKey({ token, digest }: Exchange): MaybePromise<Caller | undefined> {
    return lookUpDigest ? lookUpDigest(digest) : keys.find(token)
  }

  function recordCaller(found: Caller | ApiError | undefined, exchange: Exchange): undefined {
    if (found && !(found instanceof ApiError)) {
      exchange.limits = limitsOfCaller(found)
      exchange.caller = found
      seenKeys.add(exchange.digest, clock())
      return undefined
    }
    exchange.keyError = found ?? invalidKey
    if (!found) seenKeys.delete(exchange.digest)
    return undefined
  }

  function chargeLimits(exchange: Exchange): MaybePromise<Result | undefined> {
    const { caller, limits } = exchange
    const key = caller ? `key:${caller.id}` : `address:${addressOf(exchange)}`
    exchange.isLimiterAsked = true
    return chain(limiter.consume(key, limits), recordDecision, exchange)
  }

  function recordDecision(decision: Decision, exchange: Exchange): Result | undefined {
    const { allowed } = requireDecision(decision)
    exchange.decision = decision
    if (!exchange.caller) limitedAddresses.record(addressOf(exchange), decision, clock())
    return allowed ? undefined : tooManyRequests(decision)
  }

  /** The limiter admitted the address after all: the key is looked up, and charged if it is valid. */
  function identifyWithheldCaller(exchange: Exchange): MaybePromise<Result | undefined> {
    if (!exchange.isWithheld) return undefined
    return chain(lookUpKey(exchange), chargeFoundCaller, exchange)
  }

  function chargeFoundCaller(_: undefined, exchange: Exchange): MaybePromise<Result | undefined> {
    return exchange.caller ? chargeLimits(exchange) : undefined
  }

  function rejectInvalidHttp({ httpError }: Exchange): Result | undefined {
    return httpError
  }

  function requireKey({ caller, keyError }: Exchange): Result | undefined {
    return caller ? undefined : keyError
  }

  function findOperation({ route }: Exchange): Result | undefined {
    if (!route) return new ApiError('route_not_found')
    if (!route.operation)
      return new ApiError('method_not_allowed', undefined, ['Allow', route.allow.join(', ')])
    return isRemoved(route.operation) ? new ApiError('operation_removed') : undefined
  }

  function isRemoved({ deprecated }: Operation): boolean {
    return deprecated !== undefined && settings.removal === 'automatic' && clock() >= deprecated.removal
  }

  function performOperation({ request, route, target }: Exchange): MaybePromise<Result> {
    if (!route?.operation) return new ApiError('route_not_found')
    return handlers[route.operation.id](request, { query: target?.query, parameter: route.parameter })
  }

  /** A result that came before the limits were charged shows the numbers of the client address. */
  function finish(exchange: Exchange, result: Result): MaybePromise<ServiceResponse> {
    const { decision, isLimiterAsked, limits } = exchange
    if (decision) return respond(exchange, result, decision)
    if (isLimiterAsked) return respond(exchange, result, noDecision(limits))
    return chain(attempt(peekAddress, toApiError, exchange), (numbers) =>
      numbers instanceof ApiError
        ? respond(exchange, numbers, noDecision())
        : respond(exchange, result, numbers),
    )
  }

  function noDecision(limits = anonymousLimits): Decision {
    return undecided(limits, clock())
  }

  function peekAddress(exchange: Exchange): MaybePromise<Decision> {
    return chain(limiter.peek(`address:${addressOf(exchange)}`, anonymousLimits), requireDecision)
  }

  function addressOf(exchange: Exchange): string {
    exchange.address ??= readClient(exchange.request)
    return exchange.address
  }

  function toApiError(cause: unknown, exchange: Exchange): ApiError {
    if (isBodyFailure(cause))
      return cause.code === 'body_too_large' ? bodyTooLarge(settings.maxBodyBytes) : new ApiError(cause.code)
    hooks.report(cause, exchange)
    if (!isUnavailable(cause)) return new ApiError('internal_error')
    return new ApiError('service_unavailable', undefined, ['Retry-After', String(cause.retryAfterSeconds)])
  }

  function owns(target: string): boolean {
    const path = target.startsWith('/') && !target.includes('%') ? target : parseTarget(target)?.path
    if (!path?.startsWith(basePath)) return false
    const next = path[basePath.length]
    return next === '/' || next === '?' || next === undefined
  }

  const internalMembers: ServiceInternals = {
    report: hooks.report,
    rejectUnparsed(error, peer) {
      const exchange = begin(unparsed(peer))
      return chain(attempt(peekAddress, toApiError, exchange), (numbers) => {
        if (numbers instanceof ApiError) return respond(exchange, error, noDecision())
        if (numbers.remaining > 0)
          return chain(attempt(chargeLimits, toApiError, exchange), () => finish(exchange, error))
        // Past the limit it is not charged: only a rejection that the client sees as a 429 counts towards a ban.
        limitedAddresses.record(addressOf(exchange), { allowed: false, waitMs: retryMs }, clock())
        return respond(exchange, error, numbers)
      })
    },
    withRateLimit(response, peer) {
      const exchange = createExchange(unparsed(peer), 0, undefined)
      return chain(attempt(peekAddress, toApiError, exchange), (numbers) => {
        const decision = numbers instanceof ApiError ? noDecision() : numbers
        return { ...response, headers: [...response.headers, ...rateLimitHeaders(decision)] }
      })
    },
  }

  const service = { basePath, owns, handle, [internals]: internalMembers }
  return service // its type does not show the internals
}

/** A limiter that breaks its contract fails here, not where its numbers are written. */
function requireDecision(decision: Decision): Decision {
  if (typeof decision?.allowed !== 'boolean') throw new TypeError('the limiter returned no decision')
  return decision
}

/** Stands for a request of which only the sender is known. */
function unparsed(peer: Peer): ServiceRequest {
  return {
    method: '',
    target: '',
    httpVersion: undefined,
    client: peer.client,
    header: (name) => peer.header(name),
    body: () => Promise.reject(new BodyFailure('invalid_request')),
  }
}

import { type Caller, invalidKey, readBearer } from './auth.ts'
import { corsHeaders, isPreflight, preflightHeaders } from './cors.ts'
import { deprecationHeaders } from './deprecation.ts'
import { ApiError, type ErrorCode } from './errors.ts'
import type { ResponseEvent } from './events.ts'
import { type Answer, createHandlers } from './handlers.ts'
import { BodyFailure, type ServiceRequest, type ServiceResponse } from './http.ts'
import { httpError } from './http-error.ts'
import type { Decision, Limit } from './limits/bucket.ts'
import { rateLimitHeaders, tooManyRequests, undecided } from './limits/headers.ts'
import { createLimitedAddresses } from './limits/limited-addresses.ts'
import { type MaybePromise, rescue, settle } from './maybe-promise.ts'
import { type Operation, operations, type Route, route } from './operations.ts'
import { readOptions, type ServiceOptions } from './options.ts'
import { limitsOf, plans } from './plans.ts'
import { createSeenKeys } from './seen-keys.ts'
import { digest } from './sha256.ts'
import { parseTarget } from './target.ts'
import { Unavailable } from './unavailable.ts'

/** The service, for a mount to hand requests to. */
export interface PetService {
  /** Where the interface begins, such as `/v1`. */
  readonly basePath: string
  /** Whether a target is below the base path. What is not may be somebody else's: a mount lets it fall through. */
  owns(target: string): boolean
  /** Answers a request; one that the service does not own with a 404. Never throws, never rejects. */
  handle(request: ServiceRequest): MaybePromise<ServiceResponse>
  /** Answers a peer whose request could not be parsed or has timed out, and charges its address. Never throws, never rejects. */
  refuse(code: ErrorCode, peer: Peer): MaybePromise<ServiceResponse>
  /** Adds the rate-limit headers of a peer's address to an answer that somebody else made, and charges nothing. */
  withRateLimit(response: ServiceResponse, peer: Peer): MaybePromise<ServiceResponse>
}

/** Where a request comes from. */
export type Peer = Pick<ServiceRequest, 'client' | 'header'>

type Outcome = Answer | ApiError

/** A request on its way through the pipeline. Each step is handed it, so that none needs a closure. */
interface Exchange {
  readonly peer: Peer
  readonly method: string | undefined
  readonly operation: Operation | undefined
  readonly started: number
  /** What the limiter is to charge. */
  readonly cost: 0 | 1
  /** The outcome, whatever the limiter says; or how to come to it for a caller whom the limiter admits. */
  readonly outcome: Outcome | (() => MaybePromise<Outcome>)
  /** Undefined for a stranger, whom the limiter knows by address. */
  caller: Caller | undefined
  /** Why a caller is a stranger. */
  refusal: ApiError | undefined
  /** The SHA-256 of the token; empty without one. */
  digest: string
  /** A token that is looked up only if the limiter admits the address, which is limited. */
  withheld: string | undefined
  /** The client address, once it is known. */
  address: string | undefined
  /** Undefined until the limiter has been asked. */
  decision: Decision | undefined
}

const strangersLimits = limitsOf(plans.free)

function limitsFor(caller: Caller | undefined): readonly Limit[] {
  return caller ? limitsOf(caller.limits) : strangersLimits
}

/**
 * Makes the service out of its parts. Throws a `TypeError` that names the bad option.
 * It starts no timer, logs nothing and touches no global.
 */
export function createPetService(options: ServiceOptions): PetService {
  const settings = readOptions(options)
  const { basePath, clock, cors, keys, limiter, readClient, onResponse, onError, requestId } = settings
  const handlers = createHandlers(settings)
  const seenKeys = createSeenKeys()
  const limitedAddresses = createLimitedAddresses()
  const deprecation = new Map(
    operations.map((operation) => [
      operation,
      deprecationHeaders(operation, basePath, settings.deprecatedSince),
    ]),
  )

  function owns(target: string): boolean {
    const path = target.startsWith('/') ? target : parseTarget(target)?.path
    if (!path?.startsWith(basePath)) return false
    const next = path[basePath.length]
    return next === '/' || next === '?' || next === undefined
  }

  function handle(request: ServiceRequest): MaybePromise<ServiceResponse> {
    const { method } = request
    const target = parseTarget(request.target)
    const fault = httpError(request, target)
    if (fault) return respond(request, method, 1, fault)
    if (!target || !owns(target.path)) return respond(request, method, 0, new ApiError('route_not_found'))

    const found = route(method, target.path.slice(basePath.length))
    if (found && cors.length > 0 && isPreflight(request)) {
      const headers = preflightHeaders(cors, request, found.allow)
      return respond(request, method, 0, { status: 204, headers, body: undefined })
    }
    const outcome = () => perform(request, found, target.query)
    return respond(request, method, 1, outcome, found?.operation)
  }

  /** A part that breaks its contract ends in a 500. */
  function respond(
    peer: Peer,
    method: string | undefined,
    cost: Exchange['cost'],
    outcome: Exchange['outcome'],
    operation?: Operation,
  ): MaybePromise<ServiceResponse> {
    const exchange: Exchange = {
      peer,
      method,
      operation,
      started: onResponse ? performance.now() : 0,
      cost,
      outcome,
      caller: undefined,
      refusal: undefined,
      digest: '',
      withheld: undefined,
      address: undefined,
      decision: undefined,
    }
    return rescue(exchange, typeof outcome === 'function' ? identify : charge, giveUp)
  }

  function giveUp(cause: unknown, exchange: Exchange): ServiceResponse {
    exchange.decision = undefined
    return finish(exchange, toApiError(cause))
  }

  function identify(exchange: Exchange): MaybePromise<ServiceResponse> {
    return settle(exchange, findCaller, toApiError, admit)
  }

  function findCaller(exchange: Exchange): MaybePromise<Caller | ApiError | undefined> {
    const token = readBearer(exchange.peer.header('authorization'))
    if (token instanceof ApiError) return token
    exchange.digest = digest(token)
    if (allowsLookup(exchange)) return keys.find(token, exchange.digest)
    exchange.withheld = token
    return invalidKey
  }

  /** A limited address cannot go on guessing keys. Keys seen within the last hour still work from it. */
  function allowsLookup(exchange: Exchange): boolean {
    if (limitedAddresses.size === 0) return true
    const now = clock()
    return seenKeys.has(exchange.digest, now) || limitedAddresses.allowsLookup(addressOf(exchange), now)
  }

  function admit(exchange: Exchange, found: Caller | ApiError | undefined): MaybePromise<ServiceResponse> {
    recordCaller(exchange, found)
    return charge(exchange)
  }

  function recordCaller(exchange: Exchange, found: Caller | ApiError | undefined): void {
    if (found instanceof ApiError) exchange.refusal = found
    else if (found) {
      exchange.caller = found
      exchange.refusal = undefined
      seenKeys.add(exchange.digest, clock())
    } else {
      exchange.refusal = invalidKey
      seenKeys.delete(exchange.digest)
    }
  }

  function charge(exchange: Exchange): MaybePromise<ServiceResponse> {
    return settle(exchange, consume, toApiError, decide)
  }

  function consume(
    exchange: Pick<Exchange, 'caller' | 'peer' | 'address' | 'cost'>,
  ): MaybePromise<Decision | ApiError> {
    const { caller, cost } = exchange
    const key = caller ? `key:${caller.id}` : `address:${addressOf(exchange)}`
    return limiter.consume(key, limitsFor(caller), cost)
  }

  function addressOf(exchange: Pick<Exchange, 'peer' | 'address'>): string {
    exchange.address ??= readClient(exchange.peer)
    return exchange.address
  }

  function decide(exchange: Exchange, decided: Decision | ApiError): MaybePromise<ServiceResponse> {
    const { caller, cost, outcome, refusal } = exchange
    exchange.decision = numbersOf(decided, caller)
    if (decided instanceof ApiError) return finish(exchange, decided)
    const { allowed } = decided // asked for in any case: where there is no decision, this throws
    if (!caller && cost === 1) limitedAddresses.record(addressOf(exchange), decided, clock())
    if (typeof outcome !== 'function') return finish(exchange, outcome)
    if (!allowed) return finish(exchange, tooManyRequests(decided))
    if (exchange.withheld !== undefined) return findWithheld(exchange, exchange.withheld)
    return refusal ? finish(exchange, refusal) : settle(exchange, outcome, toApiError, finish)
  }

  /** The address is not limited any more, and is charged: a key that proves valid is charged besides. */
  function findWithheld(exchange: Exchange, token: string): MaybePromise<ServiceResponse> {
    exchange.withheld = undefined
    return settle(exchange, () => keys.find(token, exchange.digest), toApiError, admitWithheld)
  }

  function admitWithheld(
    exchange: Exchange,
    found: Caller | ApiError | undefined,
  ): MaybePromise<ServiceResponse> {
    recordCaller(exchange, found)
    return exchange.caller ? charge(exchange) : finish(exchange, exchange.refusal ?? invalidKey)
  }

  /** A limiter that fails leaves numbers that are true all the same. */
  function numbersOf(decided: Decision | ApiError, caller: Caller | undefined): Decision {
    return decided instanceof ApiError ? undecided(limitsFor(caller), clock()) : decided
  }

  function perform(
    request: ServiceRequest,
    found: Route | undefined,
    query: string | undefined,
  ): MaybePromise<Outcome> {
    if (!found) return new ApiError('route_not_found')
    const { operation, allow, parameter } = found
    if (!operation) return new ApiError('method_not_allowed', undefined, ['Allow', allow.join(', ')])
    if (isRemoved(operation)) return new ApiError('operation_removed')
    return handlers[operation.id](request, { query, parameter })
  }

  function isRemoved({ deprecated }: Operation): boolean {
    return deprecated !== undefined && settings.removal === 'automatic' && clock() >= deprecated.removal
  }

  function finish(exchange: Exchange, outcome: Outcome): ServiceResponse {
    const {
      peer,
      method,
      operation,
      caller,
      started,
      decision = undecided(strangersLimits, clock()),
    } = exchange
    const body = outcome instanceof ApiError ? outcome.toJson() : outcome.body
    const headers = rateLimitHeaders(decision)
    headers.push('Cache-Control', 'no-store', 'X-Content-Type-Options', 'nosniff')
    if (body !== undefined) headers.push('Content-Type', 'application/json')
    headers.push(...outcome.headers)
    if (cors.length > 0) headers.push(...corsHeaders(cors, peer))
    if (operation?.deprecated) headers.push(...(deprecation.get(operation) ?? []))
    const id = nextId()
    if (id !== undefined) headers.push('X-Request-Id', id)
    if (onResponse) {
      const event = {
        operation: operation?.id,
        method,
        status: outcome.status,
        code: outcome instanceof ApiError ? outcome.code : undefined,
        durationMs: performance.now() - started,
        caller: caller?.id,
        decision,
        requestId: id,
      }
      void rescue<ResponseEvent, void>(event, onResponse, report)
    }
    return { status: outcome.status, headers, body }
  }

  function nextId(): string | undefined {
    try {
      return requestId?.()
    } catch (cause) {
      report(cause)
      return undefined
    }
  }

  /** A hook that fails, at once or later, must not become the caller's trouble; nor is there anybody else to tell. */
  function report(cause: unknown): void {
    void rescue<unknown, void>(cause, onError, () => {})
  }

  function toApiError(cause: unknown): ApiError {
    if (cause instanceof BodyFailure) return new ApiError(cause.code)
    report(cause)
    if (!(cause instanceof Unavailable)) return new ApiError('internal_error')
    return new ApiError('service_unavailable', undefined, ['Retry-After', String(cause.retryAfterSeconds)])
  }

  return {
    basePath,
    owns,
    handle,
    refuse(code, peer) {
      return respond(peer, undefined, 1, new ApiError(code))
    },
    withRateLimit(response, peer) {
      const stranger = { caller: undefined, peer, address: undefined, cost: 0 } as const
      return settle(stranger, consume, toApiError, (_, decided) => ({
        ...response,
        headers: [...response.headers, ...rateLimitHeaders(numbersOf(decided, undefined))],
      }))
    },
  }
}

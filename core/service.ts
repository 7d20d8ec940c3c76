import { type Caller, invalidKey, readBearer } from './auth.ts'
import { corsHeaders, isPreflight, preflightHeaders } from './cors.ts'
import { deprecationHeaders } from './deprecation.ts'
import { type ErrorCode, Fault } from './errors.ts'
import { Unavailable } from './failures.ts'
import { type Answer, createHandlers } from './handlers.ts'
import { BodyFailure, type ServiceRequest, type ServiceResponse } from './http.ts'
import { httpFault } from './http-fault.ts'
import { chain, type MaybePromise, rescue, settle } from './maybe-promise.ts'
import { type Operation, operations, type Route, route } from './operations.ts'
import { readOptions, type ServiceOptions } from './options.ts'
import { limitsOf, plans } from './plans.ts'
import type { Decision } from './rate-limit.ts'
import { rateLimitHeaders, tooManyRequests, undecided } from './rate-limit-answer.ts'
import { parseTarget } from './target.ts'

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

/** A request on its way through the pipeline. */
interface Exchange {
  readonly peer: Peer
  readonly method: string | undefined
  readonly operation: Operation | undefined
  /** Undefined for a stranger, whom the limiter knows by address. */
  readonly caller: Caller | undefined
  readonly started: number
}

type Outcome = Answer | Fault

const strangersLimits = limitsOf(plans.free)

/**
 * Makes the service out of its parts. Throws a `TypeError` that names the bad option.
 * It starts no timer, logs nothing and touches no global.
 */
export function createPetService(options: ServiceOptions): PetService {
  const settings = readOptions(options)
  const { basePath, clock, cors, keys, limiter, readClient, onAnswer, onError, requestId } = settings
  const handlers = createHandlers(settings)
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
    const started = onAnswer ? performance.now() : 0
    const target = parseTarget(request.target)
    const stranger = { peer: request, method, operation: undefined, caller: undefined, started }

    const fault = httpFault(request, target)
    if (fault) return decide(stranger, 1, () => fault)
    if (!target || !owns(target.path)) return decide(stranger, 0, () => new Fault('route_not_found'))

    const found = route(method, target.path.slice(basePath.length))
    if (found && cors.length > 0 && isPreflight(request)) {
      const headers = preflightHeaders(cors, request, found.allow)
      return decide(stranger, 0, () => ({ status: 204, headers, body: undefined }))
    }
    return chain(identify(request), (identity) => {
      const caller = identity instanceof Fault ? undefined : identity
      return decide(
        { peer: request, method, operation: found?.operation, caller, started },
        1,
        (decision) => {
          if (!decision.allowed) return tooManyRequests(decision)
          return identity instanceof Fault ? identity : perform(request, found, target.query)
        },
      )
    })
  }

  function identify(request: ServiceRequest): MaybePromise<Caller | Fault> {
    const token = readBearer(request.header('authorization'))
    if (token instanceof Fault) return token
    return rescue<Caller | Fault>(() => chain(keys.find(token), (caller) => caller ?? invalidKey), toFault)
  }

  function perform(
    request: ServiceRequest,
    found: Route | undefined,
    query: string | undefined,
  ): MaybePromise<Outcome> {
    if (!found) return new Fault('route_not_found')
    const { operation, allow, parameter } = found
    if (!operation) return new Fault('method_not_allowed', undefined, ['Allow', allow.join(', ')])
    if (isRemoved(operation)) return new Fault('operation_removed')
    return handlers[operation.id](request, { query, parameter })
  }

  function isRemoved({ deprecated }: Operation): boolean {
    return deprecated !== undefined && settings.removal === 'automatic' && clock() >= deprecated.removal
  }

  /** Asks the limiter, then answers, with the numbers on whatever the answer is. A part that breaks its contract ends in a 500. */
  function decide(
    exchange: Exchange,
    cost: 0 | 1,
    answer: (decision: Decision) => MaybePromise<Outcome>,
  ): MaybePromise<ServiceResponse> {
    return rescue(
      () =>
        consume(exchange, cost, (decision, failure) =>
          settle<Outcome, ServiceResponse>(
            () => failure ?? answer(decision),
            toFault,
            (outcome) => finish(exchange, decision, outcome),
          ),
        ),
      (cause) => finish(exchange, undecided(strangersLimits, clock()), toFault(cause)),
    )
  }

  /** A limiter that fails leaves numbers that are true all the same, and the Fault to answer with. */
  function consume<R>(
    { caller, peer }: Pick<Exchange, 'caller' | 'peer'>,
    cost: 0 | 1,
    next: (decision: Decision, failure?: Fault) => MaybePromise<R>,
  ): MaybePromise<R> {
    const key = caller ? `key:${caller.id}` : `address:${readClient(peer)}`
    const limits = caller ? limitsOf(caller.limits) : strangersLimits
    return settle<Decision | Fault, R>(
      () => limiter.consume(key, limits, cost),
      toFault,
      (decided) => (decided instanceof Fault ? next(undecided(limits, clock()), decided) : next(decided)),
    )
  }

  function finish(exchange: Exchange, decision: Decision, outcome: Outcome): ServiceResponse {
    const { peer, method, operation, caller, started } = exchange
    const body = outcome instanceof Fault ? outcome.toJson() : outcome.body
    const headers = rateLimitHeaders(decision)
    if (body !== undefined) headers.push('Content-Type', 'application/json')
    headers.push(...outcome.headers)
    if (cors.length > 0) headers.push(...corsHeaders(cors, peer))
    if (operation?.deprecated) headers.push(...(deprecation.get(operation) ?? []))
    const id = nextId()
    if (id !== undefined) headers.push('X-Request-Id', id)
    if (onAnswer) {
      const event = {
        operation: operation?.id,
        method,
        status: outcome.status,
        code: outcome instanceof Fault ? outcome.code : undefined,
        durationMs: performance.now() - started,
        caller: caller?.id,
        decision,
        requestId: id,
      }
      void rescue<void>(() => onAnswer(event), report)
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
    void rescue<void>(
      () => onError(cause),
      () => {},
    )
  }

  function toFault(cause: unknown): Fault {
    if (cause instanceof BodyFailure) return new Fault(cause.code)
    report(cause)
    if (!(cause instanceof Unavailable)) return new Fault('internal_error')
    return new Fault('service_unavailable', undefined, ['Retry-After', String(cause.retryAfterSeconds)])
  }

  return {
    basePath,
    owns,
    handle,
    refuse(code, peer) {
      const started = onAnswer ? performance.now() : 0
      const exchange = { peer, method: undefined, operation: undefined, caller: undefined, started }
      return decide(exchange, 1, () => new Fault(code))
    },
    withRateLimit(response, peer) {
      return consume({ caller: undefined, peer }, 0, (decision) => ({
        ...response,
        headers: [...response.headers, ...rateLimitHeaders(decision)],
      }))
    },
  }
}

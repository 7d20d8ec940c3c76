import { attempt, chain, isThenable, type MaybePromise } from '../base/maybe-promise.ts'
import { bodyTooLarge } from '../http/body.ts'
import { isPreflight, preflightHeaders } from '../http/cors.ts'
import { ApiError, isBodyFailure, isUnavailable, Misuse } from '../http/errors.ts'
import type { ServiceRequest, ServiceResponse } from '../http/http.ts'
import { httpError } from '../http/http-error.ts'
import { route } from '../http/operations.ts'
import { ownsPath, parseTarget } from '../http/target.ts'
import type { Caller } from '../keys/auth.ts'
import type { Decision } from '../limits/bucket.ts'
import { rateLimitHeaders } from '../limits/headers.ts'
import { createAdmission } from './admission.ts'
import { Exchange, type Step } from './exchange.ts'
import { internals, type ServiceInternals, unparsedRequest } from './for-mounts.ts'
import { createHandlers, type Result } from './handlers.ts'
import { createHooks } from './hooks.ts'
import { readServiceOptions, type ServiceOptions } from './options.ts'
import { commonHeaders, createRespond } from './respond.ts'

/** Whether a request to a route of the embedder is served. */
export type Access<Found extends Caller = Caller> =
  | {
      readonly authenticated: true
      /** The caller that the key names. */
      readonly caller: Found
      /** The numbers of the caller, after this request is charged. */
      readonly decision: Decision
      /** The headers that every response to this request needs, names and values in turn. */
      readonly rawHeaders: readonly string[]
    }
  | {
      readonly authenticated: false
      /** The response to write unchanged: an error such as 401 or 429, or the response to a preflight. */
      readonly response: ServiceResponse
    }

/** The service. A mount passes it the requests of a server. */
export interface PetService<Found extends Caller = Caller> {
  /** The path at which the interface begins, such as `/v1`. */
  readonly basePath: string
  /** Returns whether a request target is below the base path. A mount leaves other targets to other routes. */
  matches(target: string): boolean
  /** Handles a request. The response to a target outside the base path is a 404. Never throws, never rejects. */
  handle(request: ServiceRequest): MaybePromise<ServiceResponse>
  /**
   * Checks the key of a request to a route of the embedder, and charges its limits, as for an operation of the service.
   * The path of the request does not matter, and its body is not read. Never throws, never rejects.
   *
   * `onResponse` receives an event, without an operation, for each response that this method returns. It receives none
   * for an authenticated request, since the service does not see its response.
   *
   * @param request The request, as `toServiceRequest` of a mount returns it.
   * @example
   * import { createKeyStore, createPetService, sha256 } from 'pet-adoption-service'
   * import { toResponse, toServiceRequest } from 'pet-adoption-service/fetch'
   *
   * const keys = createKeyStore([{ id: 'shelter', sha256: sha256('my-first-long-api-key'), plan: 'pro' }])
   * const service = createPetService({ keys })
   *
   * export async function listOrders(request: Request): Promise<Response> {
   *   const access = await service.authenticate(toServiceRequest(request))
   *   if (!access.authenticated) return toResponse(access.response)
   *   const rawHeaders = [...access.rawHeaders, 'Content-Type', 'application/json']
   *   return toResponse({ status: 200, rawHeaders, body: '[]' })
   * }
   */
  authenticate(request: ServiceRequest): MaybePromise<Access<Found>>
}

/** Stands for a request of a framework, or one of Fetch: nothing of it can be read. */
const unreadable: ServiceRequest = {
  ...unparsedRequest({ client: undefined, header: () => undefined }),
  get target(): never {
    throw new Misuse('authenticate requires the result of toServiceRequest')
  },
}

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
export function createPetService<Found extends Caller = Caller>(
  options: ServiceOptions<Found>,
): PetService<Found> {
  const settings = readServiceOptions(options)
  const { basePath, cors, limiter } = settings
  const handlers = createHandlers(settings)
  const hooks = createHooks(settings)
  const respond = createRespond(settings, hooks)
  const admission = createAdmission(settings, toApiError)
  const routeNotFound = new ApiError(
    'route_not_found',
    `Nothing is at this path. Animals are at ${basePath}/pets.`,
  )
  limiter.onFailure?.((cause) => hooks.report(cause))

  /** The steps of an operation and of a route of the embedder alike. */
  const accessSteps: readonly Step[] = [
    ...(cors.length > 0 ? [respondToPreflight] : []),
    admission.identify,
    admission.charge,
    rejectUnauthenticated,
  ]
  /** The pipeline: every request takes these steps in this order, and the first result ends it. */
  const steps: readonly Step[] = [matchBasePath, ...accessSteps, performOperation]
  const stepsOfOwnRoute: readonly Step[] = [matchOwnRoute, ...accessSteps]

  function handle(request: ServiceRequest): MaybePromise<ServiceResponse> {
    const exchange = new Exchange(request, steps, settings, hooks)
    const result = attempt(takeSteps, toApiError, exchange) as MaybePromise<Result> // the last step always returns one
    return chain(result, finish, exchange)
  }

  function authenticate(request: ServiceRequest): MaybePromise<Access<Found>> {
    const isOurs = typeof request?.target === 'string' && typeof request.header === 'function'
    const exchange = new Exchange(isOurs ? request : unreadable, stepsOfOwnRoute, settings, hooks)
    return chain(attempt(takeSteps, toApiError, exchange), (result) =>
      result
        ? chain(finish(result, exchange), (response) => ({ authenticated: false, response }))
        : accessOf(exchange),
    )
  }

  /** Takes the steps from `first` on. Returns undefined if none of them ends the request. */
  function takeSteps(exchange: Exchange, first = 0): MaybePromise<Result | undefined> {
    const { steps } = exchange
    for (let i = first; i < steps.length; i++) {
      const step = steps[i] as Step // below the length
      const result = step(exchange)
      if (isThenable(result) && i + 1 < steps.length)
        return Promise.resolve(result).then((late) => late ?? takeSteps(exchange, i + 1))
      if (result) return result
    }
    return undefined
  }

  function accessOf(exchange: Exchange): Access<Found> {
    const caller = exchange.caller as Found // `keys` has found it: rejectUnauthenticated has not ended the request
    const decision = exchange.decision as Decision // the limits are charged
    return { authenticated: true, caller, decision, rawHeaders: commonHeaders(exchange, decision, cors) }
  }

  function readTarget(exchange: Exchange): void {
    exchange.target = parseTarget(exchange.request.target)
    exchange.httpError = httpError(exchange.request, exchange.target)
  }

  function matchBasePath(exchange: Exchange): Result | undefined {
    readTarget(exchange)
    const { request, target } = exchange
    if (target && ownsPath(basePath, target.path))
      exchange.route = route(request.method, target.path.slice(basePath.length))
    else if (!exchange.httpError) return routeNotFound
    return undefined
  }

  /** The methods of the route are not known: a preflight allows the one that it asks for. */
  function matchOwnRoute(exchange: Exchange): undefined {
    readTarget(exchange)
    const method = exchange.request.header('access-control-request-method') ?? ''
    exchange.route = { operation: undefined, allow: /^[a-z]+$/i.test(method) ? [method] : [], parameter: '' }
  }

  function respondToPreflight({ request, route, httpError }: Exchange): Result | undefined {
    if (!route || httpError || !isPreflight(request)) return undefined
    return { status: 204, rawHeaders: preflightHeaders(cors, request, route.allow), body: undefined }
  }

  function rejectUnauthenticated({ httpError, caller, keyError }: Exchange): Result | undefined {
    return httpError ?? (caller ? undefined : keyError)
  }

  function performOperation({ at, caller, request, route, target }: Exchange): MaybePromise<Result> {
    if (!route) return routeNotFound
    const { operation, allow, parameter } = route
    if (!operation) return new ApiError('method_not_allowed', undefined, ['Allow', allow.join(', ')])
    const removal = settings.removal === 'automatic' ? operation.deprecated?.removal : undefined
    if (removal !== undefined && at >= removal) return new ApiError('operation_removed')
    const { id } = caller as Caller // rejectUnauthenticated has not ended the request
    return handlers[operation.id](request, { caller: id, query: target?.query, parameter })
  }

  /** A result that came before the limits were charged shows the numbers of the client address. */
  function finish(result: Result, exchange: Exchange): MaybePromise<ServiceResponse> {
    if (exchange.isLimiterAsked) return respond(exchange, result, admission.numbersOf(exchange))
    return chain(attempt(admission.peek, toApiError, exchange), (error) => finish(error ?? result, exchange))
  }

  function toApiError(cause: unknown, exchange: Exchange): ApiError {
    if (isBodyFailure(cause))
      return cause.code === 'body_too_large' ? bodyTooLarge(settings.maxBodyBytes) : new ApiError(cause.code)
    hooks.report(cause, exchange)
    if (!isUnavailable(cause)) return new ApiError('internal_error')
    return new ApiError('service_unavailable', undefined, ['Retry-After', String(cause.retryAfterSeconds)])
  }

  function matches(target: string): boolean {
    const path = target.startsWith('/') && !target.includes('%') ? target : parseTarget(target)?.path
    return path !== undefined && ownsPath(basePath, path)
  }

  const internalMembers: ServiceInternals = {
    maxBodyBytes: settings.maxBodyBytes,
    report: hooks.report,
    rejectUnparsed(error, peer) {
      const exchange = new Exchange(unparsedRequest(peer), [], settings, hooks)
      // Past the limit it is not charged: only a rejection that the client sees as a 429 counts towards a ban.
      return chain(attempt(admission.peek, toApiError, exchange), () =>
        admission.numbersOf(exchange).remaining > 0
          ? chain(attempt(admission.charge, toApiError, exchange), () => finish(error, exchange))
          : finish(error, exchange),
      )
    },
    withRateLimit(response, peer) {
      const exchange = new Exchange(unparsedRequest(peer), [], settings, hooks)
      return chain(attempt(admission.peek, toApiError, exchange), () => ({
        ...response,
        rawHeaders: [...response.rawHeaders, ...rateLimitHeaders(admission.numbersOf(exchange))],
      }))
    },
  }

  const service = { basePath, matches, handle, authenticate, [internals]: internalMembers }
  return service // its type does not show the internals
}

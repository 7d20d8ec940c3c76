import type { MaybePromise } from '../base/maybe-promise.ts'
import { createBodyTooLarge } from '../http/body.ts'
import { createPreflightHeaders, isPreflight } from '../http/cors.ts'
import { ApiError, isBodyFailure, Misuse, readRetryAfter } from '../http/errors.ts'
import type { ServiceRequest, ServiceResponse } from '../http/http.ts'
import { findHttpError } from '../http/http-error.ts'
import type { Result } from '../http/result.ts'
import { ownsPath, parseTarget } from '../http/target.ts'
import type { Caller } from '../keys/auth.ts'
import type { Decision } from '../limits/bucket.ts'
import { createRateLimitHeaders, createUndecided } from '../limits/headers.ts'
import { listSupportedOperations } from '../operations/index.ts'
import { createRouter } from '../operations/router.ts'
import { createAdmission } from './admission.ts'
import { createHooks } from './hooks.ts'
import { readServiceOptions, type ServiceOptions } from './options.ts'
import { RequestState } from './request-state.ts'
import { createCommonHeaders, createPlainInternalError, createRespond } from './respond.ts'
import { createUnparsedRequest, internals, type ServiceInternals } from './service-internals.ts'

/** The result of `authenticate`. */
export type Access<Found extends Caller = Caller> =
  | {
      readonly authenticated: true
      /** The caller that the key names. */
      readonly caller: Found
      /** The limiter's decision about this request, which has been charged. */
      readonly decision: Decision
      /** The headers that every response to this request needs: names and values, alternating. */
      readonly rawHeaders: readonly string[]
    }
  | {
      readonly authenticated: false
      /** The response to write unchanged: an error such as 401 or 429, or the response to a preflight. */
      readonly response: ServiceResponse
    }

/** The service. A mount passes it the requests of a server. */
export interface PetService<Found extends Caller = Caller> {
  /** The base path, such as `/v1`. */
  readonly basePath: string
  /** Returns whether a request target is below the base path. A mount leaves other targets to other routes. */
  matches(target: string): boolean
  /** Handles a request. The response to a target outside the base path is a 404. Never throws, never rejects. */
  handle(request: ServiceRequest): Promise<ServiceResponse>
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
  authenticate(request: ServiceRequest): Promise<Access<Found>>
}

/**
 * Replaces an argument of `authenticate` that is not a `ServiceRequest`, such as a request of a framework or of Fetch.
 */
const unreadable: ServiceRequest = {
  ...createUnparsedRequest({ client: undefined, header: () => undefined }),
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
  const { basePath, clock, cors, limiter, store } = settings
  const operations = listSupportedOperations(store)
  const route = createRouter(operations)
  const handlers = new Map(operations.map((operation) => [operation.id, operation.createHandler(settings)]))
  const hooks = createHooks(settings)
  const respond = createRespond(settings, hooks)
  const admission = createAdmission(settings)
  const routeNotFound = new ApiError(
    'route_not_found',
    `Nothing is at this path. Animals are at ${basePath}/pets.`,
  )
  limiter.onFailure?.((cause) => hooks.report(cause))

  async function handle(request: ServiceRequest): Promise<ServiceResponse> {
    const state = createState(request)
    return createResponse(state, await takeSteps(state, matchBasePath, performOperation))
  }

  async function authenticate(request: ServiceRequest): Promise<Access<Found>> {
    const isServiceRequest = typeof request?.target === 'string' && typeof request.header === 'function'
    const state = createState(isServiceRequest ? request : unreadable)
    const result = await takeSteps(state, matchEmbedderRoute, () => undefined)
    if (result) return { authenticated: false, response: createResponse(state, result) }
    const caller = state.caller as Found // `keys` has returned it: without a caller, findRejection returns an error
    const decision = state.decision as Decision // the limits are charged
    return {
      authenticated: true,
      caller,
      decision,
      rawHeaders: createCommonHeaders(state, decision, cors),
    }
  }

  function createState(request: ServiceRequest): RequestState {
    return new RequestState(request, settings, hooks.nextRequestId())
  }

  /**
   * Resolves with the first result of the steps. Anything that they throw becomes an `ApiError`. Peeks at the client
   * address's bucket if no step called the limiter, so that every response has its numbers.
   */
  async function takeSteps<T>(
    state: RequestState,
    matchRoute: (state: RequestState) => Result | undefined,
    lastStep: (state: RequestState) => MaybePromise<T>,
  ): Promise<Result | T> {
    let result: Result | T
    try {
      result =
        matchRoute(state) ??
        respondToPreflight(state) ??
        (await admission.admit(state)) ??
        findRejection(state) ??
        (await lastStep(state))
    } catch (cause) {
      result = toApiError(cause, state)
    }
    if (state.hasCalledLimiter) return result
    return (await guard(state, admission.peek(state))) ?? result
  }

  /** Resolves with the error of a step. A rejection becomes an `ApiError`. */
  function guard(state: RequestState, step: Promise<ApiError | undefined>): Promise<ApiError | undefined> {
    return step.catch((cause) => toApiError(cause, state))
  }

  function readTarget(state: RequestState): void {
    state.target = parseTarget(state.request.target)
    state.httpError = findHttpError(state.request, state.target)
  }

  function matchBasePath(state: RequestState): Result | undefined {
    readTarget(state)
    const { request, target } = state
    if (target && ownsPath(basePath, target.path))
      state.route = route(request.method, target.path.slice(basePath.length))
    else if (!state.httpError) return routeNotFound
    return undefined
  }

  /** The methods of a route of the embedder are not known: a preflight allows the one that it asks for. */
  function matchEmbedderRoute(state: RequestState): undefined {
    readTarget(state)
    const method = state.request.header('access-control-request-method') ?? ''
    const allow = /^[a-z]+$/i.test(method) ? [method] : []
    state.route = { path: undefined, operation: undefined, allow, parameter: '' }
  }

  function respondToPreflight({ request, route, httpError }: RequestState): Result | undefined {
    if (cors.length === 0 || !route || httpError || !isPreflight(request)) return undefined
    return { status: 204, rawHeaders: createPreflightHeaders(cors, request, route.allow), body: undefined }
  }

  /** Both errors wait until the request is charged. */
  function findRejection({ httpError, caller, keyError }: RequestState): Result | undefined {
    return httpError ?? (caller ? undefined : keyError)
  }

  function performOperation({ caller, request, route, target }: RequestState): MaybePromise<Result> {
    if (!route) return routeNotFound
    const { operation, allow, parameter } = route
    const handler = operation && handlers.get(operation.id)
    if (!handler) return new ApiError('method_not_allowed', undefined, ['Allow', allow.join(', ')])
    const removedAt = settings.removal === 'automatic' ? operation.deprecated?.removal : undefined
    if (removedAt !== undefined && clock() >= removedAt) return new ApiError('operation_removed')
    const { id } = caller as Caller // without a caller, findRejection returns an error
    return handler({ request, caller: id, query: target?.query, parameter })
  }

  function createResponse(state: RequestState, result: Result): ServiceResponse {
    try {
      return respond(state, result, findDecision(state))
    } catch (cause) {
      hooks.report(cause, state)
      return createPlainInternalError(createRateLimitHeaders(findDecision(state)))
    }
  }

  /** Returns the decision of the limiter; if it has none, the one to show instead. */
  function findDecision({ decision, limits }: RequestState): Decision {
    return decision ?? createUndecided(limits, readTime())
  }

  /** Returns the time, by the system's clock if the option `clock` throws. */
  function readTime(): number {
    try {
      return clock()
    } catch {
      return Date.now()
    }
  }

  function toApiError(cause: unknown, state: RequestState): ApiError {
    if (isBodyFailure(cause))
      return cause.code === 'body_too_large'
        ? createBodyTooLarge(settings.maxBodyBytes)
        : new ApiError(cause.code)
    hooks.report(cause, state)
    const seconds = readRetryAfter(cause)
    if (seconds === undefined) return new ApiError('internal_error')
    return new ApiError('service_unavailable', undefined, ['Retry-After', String(seconds)])
  }

  function matches(target: string): boolean {
    // Only an escape or an absolute form requires parsing: ownsPath accepts a query.
    const path = target.startsWith('/') && !target.includes('%') ? target : parseTarget(target)?.path
    return path !== undefined && ownsPath(basePath, path)
  }

  const internalMembers: ServiceInternals = {
    maxBodyBytes: settings.maxBodyBytes,
    report: hooks.report,
    async rejectUnparsed(error, peer) {
      const state = createState(createUnparsedRequest(peer))
      await guard(state, admission.peek(state))
      // An empty bucket is not charged: only a rejection that the client sees as a 429 counts towards a ban.
      if (findDecision(state).remaining > 0) await guard(state, admission.chargeAddress(state))
      return createResponse(state, error)
    },
    async withRateLimit(response, peer) {
      const state = createState(createUnparsedRequest(peer))
      await guard(state, admission.peek(state))
      const rawHeaders = [...response.rawHeaders, ...createRateLimitHeaders(findDecision(state))]
      return { ...response, rawHeaders }
    },
  }

  const service = { basePath, matches, handle, authenticate, [internals]: internalMembers }
  return service // its type does not show the internals
}

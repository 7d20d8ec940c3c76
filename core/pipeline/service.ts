import type { MaybePromise } from '../base/maybe-promise.ts'
import { createBodyTooLargeError } from '../http/body.ts'
import { ApiError, isBodyError, MisuseError, readRetryAfterSeconds } from '../http/errors.ts'
import type { ServiceRequest, ServiceResponse } from '../http/http.ts'
import { findHttpError } from '../http/http-error.ts'
import type { Result } from '../http/result.ts'
import { ownsPath, parseTarget } from '../http/target.ts'
import type { Caller } from '../keys/auth.ts'
import type { Decision } from '../limits/bucket.ts'
import { createFallbackDecision, createRateLimitHeaders } from '../limits/headers.ts'
import { listSupportedOperations } from '../operations/index.ts'
import type { OperationSettings } from '../operations/operation.ts'
import { createRouter } from '../operations/router.ts'
import type { PetStore } from '../pets/store.ts'
import { createAdmission } from './admission.ts'
import { createHooks } from './hooks.ts'
import { readServiceOptions, type ServiceOptions } from './options.ts'
import { RequestState } from './request-state.ts'
import { createCommonHeaders, createPlainInternalError, createResponder } from './respond.ts'
import { createUnparsedRequest, internalsKey, type ServiceInternals } from './service-internals.ts'

/** What `authenticate` returns: the caller, or the response to a rejected request. */
export type Access<Found extends Caller = Caller> =
  | {
      readonly authenticated: true
      /** The caller, as `keys.find` returned it. */
      readonly caller: Found
      /** The rate limit decision. The request has been charged. */
      readonly decision: Decision
      /**
       * Headers for the application's response, as alternating names and values: rate limits, CORS, `Cache-Control`,
       * `X-Content-Type-Options` and `X-Request-Id`.
       */
      readonly rawHeaders: readonly string[]
    }
  | {
      readonly authenticated: false
      /** The response to send unchanged: an error such as 401 or 429, or the response to a preflight request. */
      readonly response: ServiceResponse
    }

/** The pet adoption service, which a mount connects to a platform. */
export interface PetService<Found extends Caller = Caller> {
  /** The path that all routes begin with, such as `/v1`. */
  readonly basePath: string
  /** Checks whether a request target is at or below the base path. A mount leaves all other targets to other routes. */
  matches(target: string): boolean
  /** Handles a request. Targets outside the base path get a 404. The promise never rejects. */
  handle(request: ServiceRequest): Promise<ServiceResponse>
  /**
   * Authenticates a request to one of the application's own routes, and charges it to the same rate limits as `handle`
   * does. The path is not checked and the body is not read. The promise never rejects.
   *
   * `onResponse` is called for a rejected request, without an operation. It is not called for an authenticated request,
   * because the service does not create its response.
   *
   * @param request - The request, as returned by a mount's `toServiceRequest`.
   *
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

/** Stands in for an argument that is not a `ServiceRequest`, such as a framework's request or a Fetch `Request`. */
const unreadableRequest: ServiceRequest = {
  ...createUnparsedRequest({ clientAddress: undefined, header: () => undefined }),
  get target(): never {
    throw new MisuseError('authenticate requires a request from toServiceRequest')
  },
}

/**
 * Creates a pet adoption service. It starts no timers.
 *
 * @param options - See {@link ServiceOptions}. Only `keys` is required.
 * @throws {TypeError} If an option is unknown or invalid. The message names the option.
 *
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
  const findRoute = createRouter(operations)
  // The store has every method that the listed operations require.
  const handlerSettings = settings as OperationSettings<Required<PetStore>>
  const handlers = new Map(
    operations.map((operation) => [operation.id, operation.createHandler(handlerSettings)]),
  )
  const hooks = createHooks(settings)
  const respond = createResponder(settings, hooks)
  const admission = createAdmission(settings)
  const routeNotFound = new ApiError(
    'route_not_found',
    `There is nothing at this path. Animals are at ${basePath}/pets.`,
  )
  limiter.onFailure?.((cause) => hooks.reportError(cause))

  function handle(request: ServiceRequest): Promise<ServiceResponse> {
    return processRequest(createState(request), matchBasePath, performOperation, createResponse)
  }

  function authenticate(request: ServiceRequest): Promise<Access<Found>> {
    const isServiceRequest = typeof request?.target === 'string' && typeof request.header === 'function'
    const state = createState(isServiceRequest ? request : unreadableRequest)
    return processRequest(state, matchEmbedderRoute, () => undefined, createAccess)
  }

  function createAccess(state: RequestState, result: Result | undefined): Access<Found> {
    if (result) return { authenticated: false, response: createResponse(state, result) }
    const caller = state.caller as Found // `keys.find` returned this caller
    const decision = state.decision as Decision // `admit` has set the decision
    return {
      authenticated: true,
      caller,
      decision,
      rawHeaders: createCommonHeaders(state, decision, cors),
    }
  }

  function createState(request: ServiceRequest): RequestState {
    const state = new RequestState(request, settings)
    state.requestId = hooks.createRequestId(state)
    return state
  }

  /**
   * Runs the steps until one returns a result, and passes it to `finish`. Errors become error responses. If no step has
   * called the limiter, the client address's rate limit is read for the response headers.
   */
  async function processRequest<T, R>(
    state: RequestState,
    matchRoute: (state: RequestState) => Result | undefined,
    lastStep: (state: RequestState) => MaybePromise<T>,
    finish: (state: RequestState, result: Result | T) => R,
  ): Promise<R> {
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
    if (!state.hasCalledLimiter) result = (await catchErrors(state, admission.peek(state))) ?? result
    return finish(state, result)
  }

  /** Turns a rejection into an error response. */
  function catchErrors(
    state: RequestState,
    step: Promise<ApiError | undefined>,
  ): Promise<ApiError | undefined> {
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
      state.route = findRoute(request.method, target.path.slice(basePath.length))
    else if (!state.httpError) return routeNotFound
    return undefined
  }

  /**
   * The service does not know which methods the application's routes support, so it allows the method that a preflight
   * request asks for.
   */
  function matchEmbedderRoute(state: RequestState): undefined {
    readTarget(state)
    const method = state.request.header('access-control-request-method') ?? ''
    const allowedMethods = /^[a-z]+$/i.test(method) ? [method] : []
    state.route = { path: undefined, operation: undefined, allowedMethods, parameter: '' }
  }

  function respondToPreflight({ request, route, httpError }: RequestState): Result | undefined {
    return route && !httpError ? cors?.respondToPreflight(request, route.allowedMethods) : undefined
  }

  /** Invalid HTTP takes precedence over an invalid API key. */
  function findRejection({ httpError, caller, keyError }: RequestState): Result | undefined {
    return httpError ?? (caller ? undefined : keyError)
  }

  function performOperation({ caller, request, route, target }: RequestState): MaybePromise<Result> {
    if (!route) return routeNotFound
    const { operation, allowedMethods, parameter } = route
    const handler = operation && handlers.get(operation.id)
    if (!handler) return new ApiError('method_not_allowed', undefined, ['Allow', allowedMethods.join(', ')])
    const removedAt = settings.removal === 'automatic' ? operation.deprecated?.removal : undefined
    if (removedAt !== undefined && clock() >= removedAt) return new ApiError('operation_removed')
    const { id } = caller as Caller // `findRejection` rejects requests without a caller
    return handler({ request, caller: id, query: target?.query, parameter })
  }

  function createResponse(state: RequestState, result: Result): ServiceResponse {
    try {
      return respond(state, result, findDecision(state))
    } catch (cause) {
      hooks.reportError(cause, state)
      return createPlainInternalError(createRateLimitHeaders(findDecision(state)))
    }
  }

  /** Returns the limiter's decision, or a decision without remaining requests if the limiter has failed. */
  function findDecision({ decision, limits }: RequestState): Decision {
    return decision ?? createFallbackDecision(limits, readTimeSafely())
  }

  /** Returns the time, by the system clock if the option `clock` throws. */
  function readTimeSafely(): number {
    try {
      return clock()
    } catch {
      return Date.now()
    }
  }

  function toApiError(cause: unknown, state: RequestState): ApiError {
    if (isBodyError(cause))
      return cause.code === 'body_too_large'
        ? createBodyTooLargeError(settings.maxBodyBytes)
        : new ApiError(cause.code)
    hooks.reportError(cause, state)
    const seconds = readRetryAfterSeconds(cause)
    if (seconds === undefined) return new ApiError('internal_error')
    return new ApiError('service_unavailable', undefined, ['Retry-After', String(seconds)])
  }

  function matches(target: string): boolean {
    // Most targets need no parsing, because `ownsPath` accepts a query.
    const path = target.startsWith('/') && !target.includes('%') ? target : parseTarget(target)?.path
    return path !== undefined && ownsPath(basePath, path)
  }

  const internalMembers: ServiceInternals = {
    maxBodyBytes: settings.maxBodyBytes,
    reportError: hooks.reportError,
    async rejectUnparsed(error, peer) {
      const state = createState(createUnparsedRequest(peer))
      await catchErrors(state, admission.peek(state))
      // Without requests left, the client is not charged. Only rejections that a client sees as a 429 count towards a
      // ban.
      if (findDecision(state).remaining > 0) await catchErrors(state, admission.charge(state))
      return createResponse(state, error)
    },
    async addRateLimitHeaders(response, peer) {
      const state = new RequestState(createUnparsedRequest(peer), settings)
      await catchErrors(state, admission.peek(state))
      const rawHeaders = [...response.rawHeaders, ...createRateLimitHeaders(findDecision(state))]
      return { ...response, rawHeaders }
    },
  }

  const service = { basePath, matches, handle, authenticate, [internalsKey]: internalMembers }
  return service // the declared type omits the internals
}

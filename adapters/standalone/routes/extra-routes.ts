import {
  ApiError,
  createMemoryLimiter,
  type Decision,
  type Limit,
  type MaybePromise,
  type PetService,
  type ServiceRequest,
  type ServiceResponse,
} from '../../../core/index.ts'
import {
  createRateLimitError,
  createRateLimitHeaders,
  findHttpError,
  isApiError,
  type Peer,
  parseTarget,
  parseTraceId,
  readInternals,
  type Target,
} from '../../../core/internal.ts'
import { UsageError } from '../errors.ts'
import type { LoggedContext, LoggedResponse } from '../log/log-format.ts'

/** Handles a GET request. A response to HEAD is sent without the body. */
export type Page = (request: ServiceRequest) => MaybePromise<ServiceResponse>

export type Pages = Readonly<Record<string, Page>>

/** Pages outside the base path. They need no key, and requests for them do not count against the API's limits. */
export interface PageGroups {
  /** Pages that are never rejected with 429. Their rate-limit headers have the API's values. */
  readonly unlimited: Pages
  /** Pages with a rate limit per client address, separate from the API. */
  readonly limited: Pages
}

export interface PageOptions {
  /** Returns milliseconds since the epoch. */
  readonly clock: () => number
  /** Returns a request's client address. */
  readonly readClientAddress: (peer: Peer) => string
  readonly requestId: () => string
  /** Called with the error if a page fails. */
  readonly onError: (cause: unknown, context: LoggedContext) => void
  /** Called after each page response. */
  readonly onResponse?: (response: LoggedResponse) => void
}

/**
 * Adds pages to a service. Requests for other paths are passed to the service.
 *
 * @throws {UsageError} If the base path covers a page.
 */
export function addExtraRoutes(service: PetService, groups: PageGroups, options: PageOptions): PetService {
  const { clock, readClientAddress, requestId, onError, onResponse } = options
  const limiter = createMemoryLimiter({ clock, ban: false })
  const pages = new Map(Object.entries({ ...groups.unlimited, ...groups.limited }))
  const covered = [...pages.keys()].find((path) => service.matches(path))
  if (covered) {
    throw new UsageError(
      `the base path ${service.basePath} covers ${covered}: choose another with --base-path`,
    )
  }

  async function respond(target: Target, page: Page, request: ServiceRequest): Promise<ServiceResponse> {
    const started = performance.now()
    const { path } = target
    const clientAddress = readClientAddress(request)
    const decision =
      path in groups.limited ? limiter.consume(`address:${clientAddress}`, pageLimits) : undefined
    const id = requestId()
    const result = findError(request, target, decision) ?? (await renderPage(page, request, path, id))
    const plain = isApiError(result) ? createErrorResponse(result) : result
    const { status, rawHeaders, body } = decision
      ? { ...plain, rawHeaders: [...plain.rawHeaders, ...createRateLimitHeaders(decision)] }
      : await readInternals(service).addRateLimitHeaders(plain, request)
    onResponse?.({
      operation: path,
      method: request.method,
      status,
      code: isApiError(result) ? result.code : undefined,
      durationMs: performance.now() - started,
      caller: undefined,
      clientAddress,
      requestId: id,
      traceId: parseTraceId(request.header('traceparent')),
    })
    return { status, rawHeaders: [...rawHeaders, 'X-Request-Id', id], body }
  }

  /** Renders a page, or returns an error if the page fails. */
  async function renderPage(
    page: Page,
    request: ServiceRequest,
    operation: string,
    requestId: string,
  ): Promise<ServiceResponse | ApiError> {
    try {
      return await page(request)
    } catch (cause) {
      onError(cause, { requestId, operation, caller: undefined })
      return new ApiError('internal_error')
    }
  }

  return {
    ...service,
    handle(request) {
      if (service.matches(request.target)) return service.handle(request)
      const target = parseTarget(request.target)
      // A proxy that blocks a page compares the raw path, so a percent-encoded path must not match.
      const isRaw = !request.target.split('?', 1)[0]?.includes('%')
      const page = target && isRaw && pages.get(target.path)
      return page ? respond(target, page, request) : service.handle(request)
    },
  }
}

/** Limit per client address, shared by all limited pages. Pages have no bans. */
const pageLimits: readonly Limit[] = [{ requests: 60, windowMs: 60_000 }]

/** Returns the error for a request that gets no page. The checks have the same order as in the service. */
function findError(
  request: ServiceRequest,
  target: Target,
  decision: Decision | undefined,
): ApiError | undefined {
  if (decision?.allowed === false) return createRateLimitError(decision)
  const error = findHttpError(request, target)
  if (error) return error
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  return isRead ? undefined : new ApiError('method_not_allowed', undefined, ['Allow', 'GET, HEAD'])
}

/** Creates the response for an error outside the base path (spec 2). */
export function createErrorResponse(error: ApiError): ServiceResponse {
  return {
    status: error.status,
    rawHeaders: ['Content-Type', 'application/json', 'Cache-Control', 'no-store', ...error.rawHeaders],
    body: error.toJson(),
  }
}

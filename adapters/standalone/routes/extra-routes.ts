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
  createRateLimitHeaders,
  findHttpError,
  isApiError,
  type Peer,
  parseTarget,
  parseTraceId,
  readInternals,
  type Target,
  tooManyRequests,
} from '../../../core/internal.ts'
import { UsageError } from '../errors.ts'
import type { LoggedContext, LoggedResponse } from '../log/log-format.ts'

/** Responds to a GET request. For a HEAD request the mount sends the same response without its body. */
export type Page = (request: ServiceRequest) => MaybePromise<ServiceResponse>

/** Pages by path. */
export type Pages = Readonly<Record<string, Page>>

/** The pages outside the base path. They require no key and charge nothing to the limits of the API. */
export interface PageGroups {
  /** Never rejected with 429. Their rate-limit headers have the numbers of the API for the client address. */
  readonly unlimited: Pages
  /** Under the limit of the pages, whose numbers are in their rate-limit headers. */
  readonly limited: Pages
}

export interface PagesOptions {
  /** Returns the milliseconds since the epoch. */
  readonly clock: () => number
  /** Returns the bucket of a client address. */
  readonly readClient: (peer: Peer) => string
  readonly requestId: () => string
  /** Called with what a page throws, as the service calls its own `onError`. */
  readonly onError: (cause: unknown, context: LoggedContext) => void
  /** Called with every response of a page. */
  readonly onResponse?: (response: LoggedResponse) => void
}

/**
 * Adds pages to a service. Returns a service that handles requests for them and hands all others to the given one.
 *
 * @throws {UsageError} The base path covers a page.
 */
export function withExtraRoutes(service: PetService, groups: PageGroups, options: PagesOptions): PetService {
  const { clock, readClient, requestId, onError, onResponse } = options
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
    const client = readClient(request)
    const decision = path in groups.limited ? limiter.consume(`address:${client}`, pageLimits) : undefined
    const id = requestId()
    const result = findError(request, target, decision) ?? (await renderPage(page, request, path, id))
    const plain = isApiError(result) ? createErrorResponse(result) : result
    const { status, rawHeaders, body } = decision
      ? { ...plain, rawHeaders: [...plain.rawHeaders, ...createRateLimitHeaders(decision)] }
      : await readInternals(service).withRateLimit(plain, request)
    onResponse?.({
      operation: path,
      method: request.method,
      status,
      code: isApiError(result) ? result.code : undefined,
      durationMs: performance.now() - started,
      caller: undefined,
      client,
      requestId: id,
      traceId: parseTraceId(request.header('traceparent')),
    })
    return { status, rawHeaders: [...rawHeaders, 'X-Request-Id', id], body }
  }

  /** Returns the response of a page, or the error of one that fails. */
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
      const target = parseTarget(request.target)
      // A proxy that withholds a page compares the path as it came: another spelling must lead nowhere.
      const isRaw = !request.target.split('?', 1)[0]?.includes('%')
      const page = target && isRaw && pages.get(target.path)
      return page ? respond(target, page, request) : service.handle(request)
    },
  }
}

/** The limits of all pages together for each client address, apart from the limits of the API and without bans. */
const pageLimits: readonly Limit[] = [{ requests: 60, windowMs: 60_000 }]

/** Returns why a request gets no page, in the order of the service's own checks. */
function findError(
  request: ServiceRequest,
  target: Target,
  decision: Decision | undefined,
): ApiError | undefined {
  if (decision?.allowed === false) return tooManyRequests(decision)
  const error = findHttpError(request, target)
  if (error) return error
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  return isRead ? undefined : new ApiError('method_not_allowed', undefined, ['Allow', 'GET, HEAD'])
}

/** Returns the response with an Error (spec 2) of a page outside the base path. */
export function createErrorResponse(error: ApiError): ServiceResponse {
  return {
    status: error.status,
    rawHeaders: ['Content-Type', 'application/json', 'Cache-Control', 'no-store', ...error.rawHeaders],
    body: error.toJson(),
  }
}

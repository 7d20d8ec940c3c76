import {
  ApiError,
  type Decision,
  type MaybePromise,
  type PetService,
  type ServiceRequest,
  type ServiceResponse,
} from '../../../core/index.ts'
import {
  httpError,
  internalsOf,
  parseTarget,
  rateLimitHeaders,
  type Target,
  tooManyRequests,
} from '../../../core/internal.ts'
import { UsageError } from '../errors.ts'
import type { Answered } from '../log/log-format.ts'
import type { PageLimit } from './page-limit.ts'

/** Answers a GET; to a HEAD the mount sends the same without its body. */
export type Page = (request: ServiceRequest) => MaybePromise<ServiceResponse>

/** Pages by path. */
export type Pages = Readonly<Record<string, Page>>

/** What stands outside the base path. None of it takes a key, and none is charged to the limits of the API. */
export interface PageGroups {
  /** Never rejected with 429, and shown with the numbers that the API has for the peer's address. */
  readonly unlimited: Pages
  /** Under the limit of the pages, and shown with its numbers. */
  readonly limited: Pages
}

export interface PagesOptions {
  readonly limit: PageLimit
  readonly requestId: () => string
  /** Told of every answer of a page. */
  readonly onResponse?: (answered: Answered) => void
}

/**
 * Lets pages stand beside a service: as a service of its own, for a mount to fall back to, that hands all else on.
 * Throws `UsageError` where the base path covers a page.
 */
export function withExtraRoutes(service: PetService, groups: PageGroups, options: PagesOptions): PetService {
  const { limit, requestId, onResponse } = options
  const pages = new Map(Object.entries({ ...groups.unlimited, ...groups.limited }))
  const covered = [...pages.keys()].find((path) => service.owns(path))
  if (covered) {
    throw new UsageError(
      `the base path ${service.basePath} covers ${covered}: choose another with --base-path`,
    )
  }

  async function answer(target: Target, page: Page, request: ServiceRequest): Promise<ServiceResponse> {
    const started = performance.now()
    const { path } = target
    const decision = path in groups.limited ? limit(request) : undefined
    const fault = faultOf(request, target, decision)
    const plain = fault ? errorResponse(fault) : await page(request)
    const { status, headers, body } = decision
      ? withNumbers(plain, decision)
      : await internalsOf(service).withRateLimit(plain, request)
    const id = requestId()
    onResponse?.({
      operation: path,
      method: request.method,
      status,
      code: fault?.code,
      durationMs: performance.now() - started,
      caller: undefined,
      requestId: id,
    })
    return { status, headers: [...headers, 'X-Request-Id', id], body }
  }

  return {
    ...service,
    handle(request) {
      const target = parseTarget(request.target)
      const page = target && pages.get(target.path)
      return page ? answer(target, page, request) : service.handle(request)
    },
  }
}

/** Why a page cannot be had; in the order in which the service looks. */
function faultOf(
  request: ServiceRequest,
  target: Target,
  decision: Decision | undefined,
): ApiError | undefined {
  const fault = httpError(request, target)
  if (fault) return fault
  if (decision?.allowed === false) return tooManyRequests(decision)
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  return isRead ? undefined : new ApiError('method_not_allowed', undefined, ['Allow', 'GET, HEAD'])
}

function withNumbers(response: ServiceResponse, decision: Decision): ServiceResponse {
  return { ...response, headers: [...response.headers, ...rateLimitHeaders(decision)] }
}

/** The response of an Error (spec 2) outside the base path. */
export function errorResponse(fault: ApiError): ServiceResponse {
  return {
    status: fault.status,
    headers: ['Content-Type', 'application/json', 'Cache-Control', 'no-store', ...fault.headers],
    body: fault.toJson(),
  }
}

import {
  type ErrorCode,
  errors,
  type MaybePromise,
  type PetService,
  type ServiceRequest,
  type ServiceResponse,
} from '../../core/index.ts'
import { UsageError } from './failures.ts'
import type { Answered } from './log-format.ts'

/** Answers a GET; to a HEAD the mount sends the same without its body. */
export type Page = (request: ServiceRequest) => MaybePromise<ServiceResponse>

/** What stands outside the base path, by path. None of it takes a key, and none is charged. */
export type Pages = Readonly<Record<string, Page>>

export interface PagesOptions {
  readonly requestId: () => string
  /** Told of every answer of a page. */
  readonly onAnswer?: (answered: Answered) => void
}

/**
 * Lets pages stand beside a service: as a service of its own, for a mount to fall back to, that hands all else on.
 * Throws `UsageError` where the base path covers a page.
 */
export function besideService(service: PetService, pages: Pages, options: PagesOptions): PetService {
  const { requestId, onAnswer } = options
  const byPath = new Map(Object.entries(pages))
  const covered = [...byPath.keys()].find((path) => service.owns(path))
  if (covered) {
    throw new UsageError(
      `the base path ${service.basePath} covers ${covered}: choose another with --base-path`,
    )
  }

  async function answer(path: string, page: Page, request: ServiceRequest): Promise<ServiceResponse> {
    const started = performance.now()
    const { method } = request
    const isRead = method === 'GET' || method === 'HEAD'
    const plain = isRead ? await page(request) : errorResponse('method_not_allowed', ['Allow', 'GET, HEAD'])
    const response = await service.withRateLimit(plain, request)
    const id = requestId()
    onAnswer?.({
      operation: path,
      method,
      status: response.status,
      code: undefined,
      durationMs: performance.now() - started,
      caller: undefined,
      requestId: id,
    })
    return { ...response, headers: [...response.headers, 'X-Request-Id', id] }
  }

  return {
    ...service,
    handle(request) {
      const path = pathOf(request.target)
      const page = byPath.get(path)
      return page ? answer(path, page, request) : service.handle(request)
    },
  }
}

/** An Error (spec 2) outside the base path, with more headers and in better words where there are any. */
export function errorResponse(
  code: ErrorCode,
  headers: readonly string[] = [],
  words?: string,
): ServiceResponse {
  const [status, message] = errors[code]
  return {
    status,
    headers: ['Content-Type', 'application/json', ...headers],
    body: JSON.stringify({ code, message: words ?? message, status }),
  }
}

/** The path of a target in origin or in absolute form (RFC 9112, 3.2). */
function pathOf(target: string): string {
  return /^(?:https?:\/\/[^/?]*)?([^?]*)/i.exec(target)?.[1] ?? ''
}

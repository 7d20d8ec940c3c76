import type { PetService } from '../../core/index.ts'
import { createFetchHandler, type FetchHandlerOptions } from '../fetch/index.ts'

/** Handles requests with one method in a Next.js route. */
export type NextHandler = (request: Request) => Promise<Response>

/** Methods that Next.js routes can handle. */
export const nextMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const

/** A route's handlers, by method. Export them from its `route.ts`. */
export type NextHandlers = Readonly<Record<(typeof nextMethods)[number], NextHandler>>

/** Options for {@link toNextHandlers}. Next.js passes no client address, so `clientAddress` is required. */
export interface NextOptions
  extends Pick<FetchHandlerOptions<unknown>, 'bodyTimeoutMs'>,
    Required<Pick<FetchHandlerOptions<unknown>, 'clientAddress'>> {}

/**
 * Creates the handlers of a Next.js route. For a service with the base path `/v1`, export them from
 * `app/v1/[[...path]]/route.ts`.
 *
 * The service's `basePath` is the path that clients see. With `basePath: '/shop'` in `next.config` it is `/shop/v1`,
 * and the file stays where it is.
 *
 * @param service The service, created by `createPetService`.
 * @param options `clientAddress` is required, and reads the address from a header that your proxy or host sets.
 * `bodyTimeoutMs` is the same as for `createFetchHandler`.
 * @throws {TypeError} If the service is invalid, or an option is unknown, missing or invalid. Also if `next.config` has
 * `trailingSlash` with its redirect, or a `basePath` that the service's `basePath` does not begin with.
 *
 * @example
 * import { createKeyStore, createPetService, sha256 } from 'pet-adoption-service'
 * import { toNextHandlers } from 'pet-adoption-service/next'
 *
 * const keys = createKeyStore([{ id: 'shelter', sha256: sha256('my-first-long-api-key'), plan: 'pro' }])
 * const service = createPetService({ keys })
 * const clientAddress = (request: Request) => request.headers.get('X-Real-IP')
 * export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = toNextHandlers(service, { clientAddress })
 */
export function toNextHandlers(service: PetService, options: NextOptions): NextHandlers {
  if (typeof options?.clientAddress !== 'function')
    throw new TypeError(
      'options.clientAddress must be a function: Next.js does not pass the client address, so read it from a header that your proxy sets',
    )
  const handle = createFetchHandler(service, options)
  const { basePath, redirectsToSlash } = readNextConfig()
  if (redirectsToSlash)
    throw new TypeError(
      'next.config sets trailingSlash, which redirects every request to the interface; set skipTrailingSlashRedirect: true or remove trailingSlash',
    )
  if (!`${service.basePath}/`.startsWith(`${basePath}/`))
    throw new TypeError(
      `next.config sets basePath to "${basePath}"; create the service with basePath: "${basePath}${service.basePath}"`,
    )
  const handler: NextHandler = (request) => handle(basePath === '' ? request : addBasePath(request, basePath))
  return Object.fromEntries(nextMethods.map((method) => [method, handler])) as NextHandlers // has an entry for each method
}

/** Reads `next.config`. Next.js replaces these expressions when it builds the app. */
function readNextConfig(): { readonly basePath: string; readonly redirectsToSlash: boolean } {
  const isTrue = (value: unknown) => value === true || value === 'true'
  return {
    basePath: process.env.__NEXT_ROUTER_BASEPATH ?? '',
    redirectsToSlash:
      isTrue(process.env.__NEXT_TRAILING_SLASH) && !isTrue(process.env.__NEXT_MANUAL_TRAILING_SLASH),
  }
}

/** Adds the base path to a request's URL. Next.js removes it. */
function addBasePath(request: Request, basePath: string): Request {
  const path = request.url.indexOf('/', request.url.indexOf('://') + 3)
  return new Request(`${request.url.slice(0, path)}${basePath}${request.url.slice(path)}`, request)
}

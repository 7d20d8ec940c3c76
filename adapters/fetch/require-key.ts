import type { Caller, PetService } from '../../core/index.ts'
import { aFunction, checkOptions, createInternalError, readInternals } from '../../core/internal.ts'
import { FetchRequest } from './fetch-request.ts'
import { type FetchHandlerOptions, readFetchOptions } from './options.ts'
import { toHeaders, toResponse } from './to-response.ts'

/** The caller of a request to a route of your own. */
export interface KeyAccess<Found extends Caller = Caller> {
  /** The caller that the key belongs to. */
  readonly caller: Found
  /** The headers that every response needs (rate limit, CORS, request id). You can add your own. */
  readonly headers: Headers
}

/** Checks the key of a request. `info` is what the platform passes with it. */
export type KeyCheck<Found extends Caller, Info> = (
  request: Request,
  info?: Info,
) => Promise<Response | KeyAccess<Found>>

/**
 * Creates a check for routes of your own that share the keys and the rate limits of the service. Each call charges the
 * caller for one request. The body stays unread.
 *
 * @param service From `createPetService`.
 * @param options `client`, as for `createFetchHandler`.
 * @returns A function that resolves to the `Response` to return (an error such as 401 or 429, or the response to a
 * preflight), or to the caller and the headers for your response. Never rejects.
 * @throws {TypeError} `service` is not a service, or an option is unknown or invalid.
 * @example
 * import { createKeyStore, createPetService, sha256 } from 'pet-adoption-service'
 * import { requireKey } from 'pet-adoption-service/fetch'
 *
 * const keys = createKeyStore([{ id: 'shelter', sha256: sha256('my-first-long-api-key'), plan: 'pro' }])
 * const authenticate = requireKey(createPetService({ keys }))
 *
 * export async function listOrders(request: Request, info?: unknown): Promise<Response> {
 *   const access = await authenticate(request, info)
 *   if (access instanceof Response) return access
 *   return Response.json([{ id: 1, by: access.caller.id }], { headers: access.headers })
 * }
 */
export function requireKey<Found extends Caller = Caller, Info = unknown>(
  service: PetService<Found>,
  options: Pick<FetchHandlerOptions<Info>, 'client'> = {},
): KeyCheck<Found, Info> {
  const internals = readInternals(service)
  checkOptions(options, { client: aFunction })
  const settings = readFetchOptions(options, internals.report)
  return async (request, info) => {
    const serviceRequest = new FetchRequest(request, info as Info, settings) // what the platform passes is of the embedder's type
    try {
      const access = await service.authenticate(serviceRequest)
      if (!access.authenticated) return toResponse(access.response, request.method)
      return { caller: access.caller, headers: toHeaders(access.rawHeaders) }
    } catch (cause) {
      return toResponse(await createInternalError(internals, cause, serviceRequest), request.method)
    }
  }
}

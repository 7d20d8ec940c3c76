import type { Caller, PetService } from '../../core/index.ts'
import { checkOptions, createInternalError, functionRule, readInternals } from '../../core/internal.ts'
import { FetchRequest } from './fetch-request.ts'
import { type FetchHandlerOptions, readFetchOptions } from './options.ts'
import { toHeaders, toResponse } from './to-response.ts'

/** The caller who sent a request to your own route. */
export interface KeyAccess<Found extends Caller = Caller> {
  /** The caller that the API key belongs to. */
  readonly caller: Found
  /** Headers that every response needs, for rate limits, CORS and the request id. You can add your own. */
  readonly headers: Headers
}

/**
 * Authenticates a request. Resolves with the caller, or with the response to return if the request is rejected. `info`
 * is what the server passes to its handler.
 */
export type KeyCheck<Found extends Caller, Info> = (
  request: Request,
  info?: Info,
) => Promise<Response | KeyAccess<Found>>

/**
 * Creates a function that authenticates requests to your own routes, with the service's API keys and rate limits. Each
 * call counts as one request. The request body is not read.
 *
 * @param service - From `createPetService`.
 * @param options - `clientAddress`, as for `createFetchHandler`.
 * @returns A function that never rejects. It resolves with the caller and the headers for your response, or with a
 * `Response` to return: an error such as 401 or 429, or the response to a CORS preflight request.
 * @throws {TypeError} An option is unknown or invalid, or the service was not created by `createPetService`.
 *
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
  options: Pick<FetchHandlerOptions<Info>, 'clientAddress'> = {},
): KeyCheck<Found, Info> {
  const internals = readInternals(service)
  checkOptions(options, { clientAddress: functionRule })
  const settings = readFetchOptions(options, internals.reportError)
  return async (request, info) => {
    const serviceRequest = new FetchRequest(request, info as Info, settings) // `info` may have any type
    try {
      const access = await service.authenticate(serviceRequest)
      if (!access.authenticated) return toResponse(access.response, request.method)
      return { caller: access.caller, headers: toHeaders(access.rawHeaders) }
    } catch (cause) {
      return toResponse(await createInternalError(internals, cause, serviceRequest), request.method)
    }
  }
}

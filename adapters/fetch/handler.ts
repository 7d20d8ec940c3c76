import type { PetService, ServiceResponse } from '../../core/index.ts'
import { createInternalError, readInternals } from '../../core/internal.ts'
import { waitForEndOfTurn } from '../event-loop/index.ts'
import { readBody } from './body.ts'
import { FetchRequest } from './fetch-request.ts'
import { type FetchHandlerOptions, readFetchOptions } from './options.ts'
import { canShareTurns, hasPeerAddress } from './platform.ts'
import { toResponse } from './to-response.ts'

/** A request handler for Fetch API servers. */
export interface FetchHandler<Info> {
  /**
   * Handles a request. `info` is what the server passes to its handler, such as the second argument from `Deno.serve`.
   */
  (request: Request, info?: Info): Promise<Response>
  /** Handles a request to a `std/http` route, which passes path parameters before `info`. */
  (request: Request, params: unknown, info: Info): Promise<Response>
}

/** @internal Makes TypeScript infer `Info` from the options only, as `NoInfer` does. */
type InferredFromOptions<Info> = [Info][Info extends unknown ? 0 : never]

/**
 * Creates a handler for Fetch API servers: `Deno.serve`, `Bun.serve`, a Worker's `fetch`, Hono, or a Next.js route.
 *
 * @param service - From `createPetService`.
 * @returns A handler that rejects only if `fallback` does.
 * @throws {TypeError} An option is unknown or invalid, or the service was not created by `createPetService`.
 *
 * @example
 * import { createKeyStore, createPetService, sha256 } from 'pet-adoption-service'
 * import { createFetchHandler } from 'pet-adoption-service/fetch'
 *
 * const keys = createKeyStore([{ id: 'shelter', sha256: sha256('my-first-long-api-key'), plan: 'pro' }])
 * const handler = createFetchHandler(createPetService({ keys }))
 * const response = await handler(new Request('https://shelter.example/v1/pets'))
 */
export function createFetchHandler<Info = unknown>(
  service: PetService,
  options: FetchHandlerOptions<Info> = {},
): FetchHandler<InferredFromOptions<Info>> {
  const internals = readInternals(service)
  const settings = readFetchOptions(options, internals.reportError)
  const { fallback } = options
  const isDeno = 'Deno' in globalThis

  return async (request: Request, infoOrParams?: unknown, lastInfo?: Info) => {
    const info = (hasPeerAddress(lastInfo) ? lastInfo : infoOrParams) as Info // `info` may have any type
    const serviceRequest = new FetchRequest(request, info, settings)
    if (fallback && !service.matches(serviceRequest.target)) return fallback(request, info)
    const { method } = request
    let response: ServiceResponse | undefined
    try {
      if (canShareTurns) await waitForEndOfTurn()
      response = await service.handle(serviceRequest)
      if (isDeno && mayLoseResponse(request)) await readRemainingBody(request)
      return toResponse(response, method)
    } catch (cause) {
      return toResponse(await createInternalError(internals, cause, serviceRequest, response), method)
    }
  }

  async function readRemainingBody(request: Request): Promise<void> {
    if (!request.bodyUsed)
      await readBody(request, internals.maxBodyBytes, settings.bodyTimeoutMs).catch(() => {})
  }
}

/**
 * Checks whether Deno may lose the response because the request body was not read. Deno 2.9 resets such HTTP/2 streams;
 * their requests have no `Host` header.
 */
function mayLoseResponse(request: Request): boolean {
  const { method } = request
  return method !== 'GET' && method !== 'HEAD' && request.headers.get('host') === null
}

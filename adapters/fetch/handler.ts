import type { PetService, ServiceResponse } from '../../core/index.ts'
import { createInternalError, readInternals } from '../../core/internal.ts'
import { endOfTurn } from '../event-loop/index.ts'
import { readBody } from './body.ts'
import { FetchRequest } from './fetch-request.ts'
import { type FetchHandlerOptions, readFetchOptions } from './options.ts'
import { hasPeer, sharesTurns } from './platform.ts'
import { toResponse } from './to-response.ts'

/** A handler of requests of the Fetch API. */
export interface FetchHandler<Info> {
  /** Handles a request. `info` is what the platform passes with it, such as the second argument of `Deno.serve`. */
  (request: Request, info?: Info): Promise<Response>
  /** Handles a request of a `std/http` route, which passes the parameters of its path before `info`. */
  (request: Request, params: unknown, info: Info): Promise<Response>
}

/** @internal `Info`, inferred from the options alone and not from where the handler is passed, as by `NoInfer`. */
type OfOptions<Info> = [Info][Info extends unknown ? 0 : never]

/**
 * Mounts the service on a platform with the Fetch API: `Deno.serve`, `Bun.serve`, a Workers `fetch`, Hono, a route
 * handler of Next.js.
 *
 * @param service From `createPetService`.
 * @returns A handler whose promise rejects only if `fallback` does.
 * @throws {TypeError} `service` is not a service, or an option is unknown or invalid.
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
): FetchHandler<OfOptions<Info>> {
  const internals = readInternals(service)
  const settings = readFetchOptions(options, internals.report)
  const { fallback } = options
  const isDeno = 'Deno' in globalThis

  return async (request: Request, infoOrParams?: unknown, lastInfo?: Info) => {
    const info = (hasPeer(lastInfo) ? lastInfo : infoOrParams) as Info // what the platform passes is of the embedder's type
    const serviceRequest = new FetchRequest(request, info, settings)
    if (fallback && !service.matches(serviceRequest.target)) return fallback(request, info)
    const { method } = request
    let response: ServiceResponse | undefined
    try {
      if (sharesTurns) await endOfTurn()
      response = await service.handle(serviceRequest)
      if (isDeno && mayLoseResponse(request)) await readRest(request)
      return toResponse(response, method)
    } catch (cause) {
      return toResponse(await createInternalError(internals, cause, serviceRequest, response), method)
    }
  }

  async function readRest(request: Request): Promise<void> {
    if (!request.bodyUsed)
      await readBody(request, internals.maxBodyBytes, settings.bodyTimeoutMs).catch(() => {})
  }
}

/**
 * Returns whether Deno may lose the response to a request if its body is unread: Deno 2.9 resets streams of HTTP/2, whose
 * requests have no `Host`.
 */
function mayLoseResponse(request: Request): boolean {
  const { method } = request
  return method !== 'GET' && method !== 'HEAD' && request.headers.get('host') === null
}

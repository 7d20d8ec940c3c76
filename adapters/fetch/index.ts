import type { PetService, ServiceRequest, ServiceResponse } from '../../core/index.ts'
import { aFunction, chain, checkOptions, internalsOf, Misuse } from '../../core/internal.ts'
import { endOfTurn } from '../event-loop/index.ts'
import { readBody } from './body.ts'
import { appendTo, withHeaders } from './headers.ts'
import { sharesTurns } from './platform.ts'

/** Options of `createFetchHandler`. All have a default. */
export interface FetchHandlerOptions<Info> {
  /**
   * Handles the requests outside the base path, such as a handler of `Deno.serve`. By default the service responds to
   * them with a 404.
   */
  readonly fallback?: (request: Request, info: Info) => Response | Promise<Response>
  /**
   * Returns the address of the peer, from what the platform passes with the request. By default that of `Deno.serve`
   * (`info.remoteAddr.hostname`) and of `Bun.serve` (`server.requestIP(request)`).
   *
   * Where it returns `undefined` or `null`, or throws, the peer is unknown. All anonymous clients of unknown peers
   * share one rate limit, unless the service counts the hops of `X-Forwarded-For` (`trustProxy: 1`). An exception goes
   * to the `onError` of the service, and so does, once, that nothing with an address was passed and this option is not
   * set.
   */
  readonly client?: (request: Request, info: Info) => string | null | undefined
  /** How long a body may take to arrive, in milliseconds: from 1 to 2,147,483,647, 30,000 by default. */
  readonly bodyTimeoutMs?: number
}

/** A handler of requests of the Fetch API. */
export interface FetchHandler<Info> {
  /** Handles a request. `info` is what the platform passes with it, such as the second argument of `Deno.serve`. */
  (request: Request, info?: Info): Promise<Response>
  /** Handles a request of a route of `std/http`, which passes the parameters of its path in front of `info`. */
  (request: Request, params: unknown, info: Info): Promise<Response>
}

/** @internal `Info`, inferred from the options alone and not from where the handler is passed, as by `NoInfer`. */
type OfOptions<Info> = [Info][Info extends unknown ? 0 : never]

/**
 * Mounts the service where requests are those of the Fetch API: `Deno.serve`, `Bun.serve`, a Workers `fetch`, Hono, a
 * route handler of Next.js.
 *
 * @param service From `createPetService`.
 * @returns A handler whose promise never rejects, unless that of `fallback` does.
 * @throws {TypeError} `service` is no service, or an option is unknown or invalid.
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
  const { report, maxBodyBytes } = internalsOf(service)
  const settings = readFetchOptions(options, report)
  const { fallback } = options
  const isDeno = 'Deno' in globalThis
  const passOn = fallback && (async (request: Request, info: Info) => fallback(request, info))

  return (request: Request, given?: unknown, last?: Info) => {
    const info = (hasPeer(last) ? last : given) as Info // what the platform passes is of the embedder's type
    const serviceRequest = new FetchRequest(request, info, settings)
    if (passOn && !service.matches(serviceRequest.target)) return passOn(request, info)
    const { method } = serviceRequest
    const respond = () => chain(service.handle(serviceRequest), (response) => toResponse(response, method))
    const response = sharesTurns ? endOfTurn().then(respond) : Promise.resolve(respond())
    return isDeno && losesEarlyResponses(request) ? respondAfterBody(request, response) : response
  }

  async function respondAfterBody(request: Request, response: Promise<Response>): Promise<Response> {
    await response
    if (!request.bodyUsed) await readBody(request, maxBodyBytes, settings.bodyTimeoutMs).catch(() => {})
    return response
  }
}

/**
 * Whether the platform may lose a response to a request whose body was not read: Deno 2.9 resets the stream of HTTP/2,
 * where requests have no `Host`.
 */
function losesEarlyResponses(request: Request): boolean {
  const { method } = request
  return method !== 'GET' && method !== 'HEAD' && request.headers.get('host') === null
}

/**
 * Returns a request of the Fetch API in the form that the service reads, for `service.authenticate`. Reads nothing of its
 * body, which stays for your route.
 *
 * @param request The request as the platform passes it.
 * @param info What the platform passes with it, such as the second argument of a handler of `Deno.serve`.
 * @param options `client` and `bodyTimeoutMs`, as for `createFetchHandler`. If `client` throws, the response is a 500.
 * @throws {TypeError} An option is unknown or invalid.
 * @example
 * import { toServiceRequest } from 'pet-adoption-service/fetch'
 *
 * toServiceRequest(new Request('https://shelter.example/v1/store/orders')).target // '/v1/store/orders'
 */
export function toServiceRequest<Info = unknown>(
  request: Request,
  info?: Info,
  options: Omit<FetchHandlerOptions<Info>, 'fallback'> = {},
): ServiceRequest {
  const rethrow = (cause: unknown) => {
    throw cause
  }
  const settings = readFetchOptions({ client: createPeerReader(() => {}), ...options }, rethrow)
  return new FetchRequest(request, info as Info, settings) // what the platform passes is of the embedder's type
}

interface FetchSettings<Info> {
  readonly client: (request: Request, info: Info) => string | undefined
  readonly bodyTimeoutMs: number
}

/** The longest delay of `setTimeout`, which would treat a longer one as none. */
const maxTimeoutMs = 2_147_483_647

function readFetchOptions<Info>(
  options: FetchHandlerOptions<Info>,
  report: (cause: unknown) => void,
): FetchSettings<Info> {
  const isTimeout = (ms: unknown) => typeof ms === 'number' && ms >= 1 && ms <= maxTimeoutMs
  checkOptions(options, {
    fallback: aFunction,
    client: aFunction,
    bodyTimeoutMs: [isTimeout, `a number of milliseconds from 1 to ${maxTimeoutMs}`],
  })
  const { client = createPeerReader(report), bodyTimeoutMs = 30_000 } = options
  return {
    bodyTimeoutMs,
    client(request, info) {
      try {
        return client(request, info) ?? undefined
      } catch (cause) {
        report(cause)
        return undefined
      }
    },
  }
}

/** A request of the Fetch API as core reads it. With an object with a getter, `http getPet` takes Deno a tenth more. */
class FetchRequest<Info> implements ServiceRequest {
  readonly method: string
  readonly target: string
  readonly httpVersion: undefined
  readonly #request: Request
  readonly #headers: Headers
  readonly #info: Info
  readonly #settings: FetchSettings<Info>

  constructor(request: Request, info: Info, settings: FetchSettings<Info>) {
    this.method = request.method
    this.target = targetOf(request.url)
    this.#request = request
    this.#headers = request.headers
    this.#info = info
    this.#settings = settings
  }

  get client(): string | undefined {
    return this.#settings.client(this.#request, this.#info)
  }

  header(name: string): string | undefined {
    return this.#headers.get(name) ?? undefined
  }

  body(maxBytes: number): Promise<Uint8Array> {
    return readBody(this.#request, maxBytes, this.#settings.bodyTimeoutMs)
  }
}

/**
 * Returns the path and the query of a URL, without parsing it again. Bun passes a relative one where `Host` is absent
 * or empty (Bun 1.3).
 */
function targetOf(url: string): string {
  const path = url.startsWith('/') ? 0 : url.indexOf('/', url.indexOf('://') + 3)
  const fragment = url.indexOf('#', path)
  return fragment < 0 ? url.slice(path) : url.slice(path, fragment)
}

const encoder = new TextEncoder()

/**
 * Returns a response of the service as one of the Fetch API: that of `service.authenticate`, or one of your route in the
 * same form.
 *
 * @param response The response of the service, or one of the same form.
 * @param method The method of the request, `GET` by default. In response to a `HEAD`, the body becomes its length.
 * @throws {TypeError} There is no response, as where `await` is missing.
 * @example
 * import { toResponse } from 'pet-adoption-service/fetch'
 *
 * toResponse({ status: 200, rawHeaders: ['Content-Type', 'application/json'], body: '[]' }).ok // true
 */
export function toResponse(response: ServiceResponse, method = 'GET'): Response {
  if (!response) throw new TypeError('toResponse requires a response: await service.authenticate')
  const { status, rawHeaders, body } = response
  if (method !== 'HEAD') return withHeaders(body, status, rawHeaders)
  const bytes = typeof body === 'string' ? encoder.encode(body) : body
  const fields = appendTo(new Headers(), rawHeaders)
  fields.set('Content-Length', String(bytes?.length ?? 0))
  return new Response(null, { status, headers: fields })
}

/** What `Deno.serve` and `Bun.serve` pass with a request: the one has the peer's address, the other returns it. */
type PlatformInfo =
  | { readonly remoteAddr: { readonly hostname?: string } }
  | { requestIP(request: Request): { readonly address: string } | null }

function hasPeer(info: unknown): info is PlatformInfo {
  return typeof info === 'object' && info !== null && ('remoteAddr' in info || 'requestIP' in info)
}

/** Creates the function that reads the address of the peer on Deno and Bun, and reports once that nothing has one. */
function createPeerReader(
  report: (cause: unknown) => void,
): (request: Request, info: unknown) => string | undefined {
  let isTold = false
  return (request, info) => {
    if (hasPeer(info))
      return 'remoteAddr' in info ? info.remoteAddr.hostname : info.requestIP(request)?.address
    if (!isTold) report(new Misuse(noPeer))
    isTold = true
    return undefined
  }
}

const noPeer =
  'No client address: all anonymous clients share one limit. Pass what Deno.serve or Bun.serve pass with a request on to the handler of createFetchHandler, or set its option client.'

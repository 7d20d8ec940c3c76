import type { ServiceRequest } from '../../core/index.ts'
import { readBody } from './body.ts'
import { type FetchHandlerOptions, type FetchSettings, readFetchOptions } from './options.ts'
import { createPeerReader } from './platform.ts'

/**
 * Returns a request of the Fetch API in the form that the service reads, for `service.authenticate`. The body stays
 * unread for your route.
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
  // There is no `onError` here: what `client` throws reaches the service, and a missing address is not reported.
  const rethrow = (cause: unknown) => {
    throw cause
  }
  const ignore = () => {}
  const settings = readFetchOptions({ client: createPeerReader(ignore), ...options }, rethrow)
  return new FetchRequest(request, info as Info, settings) // what the platform passes is of the embedder's type
}

/** A request of the Fetch API as core reads it. A class instead of an object with a getter: -14 % getPet on Deno. */
export class FetchRequest<Info> implements ServiceRequest {
  readonly method: string
  readonly target: string
  readonly httpVersion: undefined
  readonly #request: Request
  readonly #headers: Headers
  readonly #info: Info
  readonly #settings: FetchSettings<Info>

  constructor(request: Request, info: Info, settings: FetchSettings<Info>) {
    this.method = request.method
    this.target = readTarget(request.url)
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
 * Returns the path and the query of a URL, without parsing it again. Bun 1.3 passes a relative URL if `Host` is absent
 * or empty.
 */
function readTarget(url: string): string {
  const path = url.startsWith('/') ? 0 : url.indexOf('/', url.indexOf('://') + 3)
  const fragment = url.indexOf('#', path)
  return fragment < 0 ? url.slice(path) : url.slice(path, fragment)
}

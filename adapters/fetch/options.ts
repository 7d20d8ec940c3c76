import { aFunction, checkOptions } from '../../core/internal.ts'
import { createPeerReader } from './platform.ts'

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

/** The options of a mount, with their defaults. */
export interface FetchSettings<Info> {
  readonly client: (request: Request, info: Info) => string | undefined
  readonly bodyTimeoutMs: number
}

/** The longest delay of `setTimeout`, which would treat a longer one as none. */
const maxTimeoutMs = 2_147_483_647

/**
 * Returns the options with their defaults.
 *
 * @param report Called with what the option `client` throws, and once if nothing has the address of a peer.
 * @throws {TypeError} An option is unknown or invalid.
 */
export function readFetchOptions<Info>(
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

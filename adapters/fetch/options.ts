import { aFunction, checkOptions } from '../../core/internal.ts'
import { createPeerReader } from './platform.ts'

/** Options of `createFetchHandler`. All have a default. */
export interface FetchHandlerOptions<Info> {
  /**
   * Handles requests outside the base path, such as a handler of `Deno.serve`. By default the service responds with a
   * 404.
   */
  readonly fallback?: (request: Request, info: Info) => Response | Promise<Response>
  /**
   * Returns the address of the peer. `info` is what the platform passes with the request. The default reads `info` of
   * `Deno.serve` (`info.remoteAddr.hostname`) and of `Bun.serve` (`server.requestIP(request)`).
   *
   * If it returns `undefined` or `null`, or throws, the peer is unknown. All anonymous clients of unknown peers share
   * one rate limit, unless the service counts the hops of `X-Forwarded-For` (`trustProxy: 1`). Exceptions go to
   * `onError` of the service. Without this option, `onError` is also called once if no address was passed.
   */
  readonly client?: (request: Request, info: Info) => string | null | undefined
  /** Maximum time that a body takes to arrive, in milliseconds: from 1 to 2,147,483,647, 30,000 by default. */
  readonly bodyTimeoutMs?: number
}

/** The options of a mount, with their defaults. */
export interface FetchSettings<Info> {
  readonly client: (request: Request, info: Info) => string | undefined
  readonly bodyTimeoutMs: number
}

/** Longest delay of `setTimeout`, which treats a longer one as 1 ms. */
const maxTimeoutMs = 2_147_483_647

/**
 * Returns the options with their defaults.
 *
 * @param report Called with exceptions of the option `client`, and once if no address was passed.
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

import { checkOptions, functionRule } from '../../core/internal.ts'
import { createPeerAddressReader } from './platform.ts'

/** Options for {@link createFetchHandler}. All options have a default. */
export interface FetchHandlerOptions<Info> {
  /**
   * Handles requests outside the base path. Receives the handler's second argument, such as Deno's `info`.
   *
   * @default responds with a 404
   */
  readonly fallback?: (request: Request, info: Info) => Response | Promise<Response>
  /**
   * Returns a request's client address, or `undefined` or `null` if it is unknown. `info` is what the server passes to
   * the handler.
   *
   * Anonymous clients with unknown addresses share one rate limit, unless the service reads their addresses from
   * `X-Forwarded-For` (`trustProxy: 1`). If the function throws, the address is unknown, and the service's `onError` is
   * called.
   *
   * @default the address that `Deno.serve` (`info.remoteAddr.hostname`) or `Bun.serve` (`server.requestIP(request)`)
   * passes. `onError` is called once if there is none.
   */
  readonly clientAddress?: (request: Request, info: Info) => string | null | undefined
  /**
   * Maximum time to receive a request body, in milliseconds, from 1 to 2,147,483,647.
   *
   * @default 30_000
   */
  readonly bodyTimeoutMs?: number
}

/** A handler's validated options, with their defaults. */
export interface FetchSettings<Info> {
  readonly clientAddress: (request: Request, info: Info) => string | undefined
  readonly bodyTimeoutMs: number
}

/** The longest delay that `setTimeout` supports. Longer delays become 1 ms. */
const maxTimeoutMs = 2_147_483_647

/**
 * Validates the options and adds the defaults.
 *
 * @param report - Called with errors from `clientAddress`, and once if the server passes no address.
 * @throws {TypeError} An option is unknown or invalid.
 */
export function readFetchOptions<Info>(
  options: FetchHandlerOptions<Info>,
  report: (cause: unknown) => void,
): FetchSettings<Info> {
  const isTimeout = (ms: unknown) => typeof ms === 'number' && ms >= 1 && ms <= maxTimeoutMs
  checkOptions(options, {
    fallback: functionRule,
    clientAddress: functionRule,
    bodyTimeoutMs: [isTimeout, `a number from 1 to ${maxTimeoutMs}, in milliseconds`],
  })
  const { clientAddress = createPeerAddressReader(report), bodyTimeoutMs = 30_000 } = options
  return {
    bodyTimeoutMs,
    clientAddress(request, info) {
      try {
        return clientAddress(request, info) ?? undefined
      } catch (cause) {
        report(cause)
        return undefined
      }
    },
  }
}

import type { IncomingMessage, Server } from 'node:http'
import type { TrustProxy } from '../../../core/index.ts'
import type { Log } from '../log/log.ts'
import type { ListenAddress } from './listen-address.ts'

/** How many requests are looked at. By then a proxy has sent one, and the later ones cost nothing. */
const lookedAt = 1_000

/**
 * Warns that anonymous clients share one limit: at once on a Unix socket, whose connections have no address, and else
 * once one of the first requests says that it came through a proxy. Silent where a proxy is trusted.
 */
export function warnOfUntrustedProxy(
  server: Server,
  { kind }: ListenAddress,
  trustProxy: TrustProxy | undefined,
  log: Pick<Log, 'warning'>,
): void {
  if (kind === 'unix') {
    if (typeof trustProxy === 'number' && trustProxy > 0) return
    log.warning(
      'no-addresses',
      'the connections of a Unix socket have no address, so all anonymous clients share one limit: with a proxy in front, give its number of hops, such as --trust-proxy 1',
    )
    return
  }
  let requests = 0

  function look({ headers }: IncomingMessage): void {
    requests++
    const isForwarded = headers['x-forwarded-for'] !== undefined
    if (isForwarded || requests === lookedAt) server.off('request', look)
    if (isForwarded)
      log.warning(
        'untrusted-proxy',
        'a request came with X-Forwarded-For, but no proxy is trusted, so all anonymous clients behind one share a limit: with a proxy in front, give the number of hops, such as --trust-proxy 1; without one, --trust-proxy 0',
      )
  }

  if (trustProxy === undefined) server.on('request', look)
}

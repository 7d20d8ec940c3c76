import type { IncomingMessage, Server } from 'node:http'

/** How many requests are looked at. By then a proxy has sent one, and the later ones cost nothing. */
const lookedAt = 1_000

/** Calls `warn` once if one of the first requests says that it came through a proxy. For a server that trusts none. */
export function watchForwarded(server: Server, warn: (text: string) => void): void {
  let requests = 0

  function look({ headers }: IncomingMessage): void {
    requests++
    const isForwarded = headers['x-forwarded-for'] !== undefined
    if (isForwarded || requests === lookedAt) server.off('request', look)
    if (isForwarded)
      warn(
        'a request came with X-Forwarded-For, but no proxy is trusted, so all anonymous clients behind one share a limit: with a proxy in front, give the number of hops, such as --trust-proxy 1; without one, --trust-proxy 0',
      )
  }

  server.on('request', look)
}

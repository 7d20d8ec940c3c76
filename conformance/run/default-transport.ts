import { createFetchTransport } from '../network/fetch-transport.ts'
import type { Transport } from '../network/transport.ts'
import type { Settings } from './options.ts'

/**
 * Returns the transport of a run: over the function that is given as `fetch`, else over `node:http`.
 *
 * @throws {TypeError} A certificate is invalid, or TLS or a proxy is given where only `fetch` exists.
 */
export async function createTransport({ baseUrl, fetch, tls, proxy }: Settings): Promise<Transport> {
  if (fetch !== undefined) return createFetchTransport(fetch)
  if (!hasAgents()) {
    if (proxy !== undefined || Object.keys(tls).length > 0)
      throw new TypeError('tls and proxy require Node, Deno or Bun: here, requests are sent with fetch')
    return createFetchTransport(globalThis.fetch)
  }
  // not imported at once, so that the entry also loads where there is no node:http
  const [{ createNodeTransport }, { tlsProblem }] = await Promise.all([
    import('../network/node-transport.ts'),
    import('../network/tls-options.ts'),
  ])
  const found = tlsProblem(tls)
  if (found !== undefined) throw new TypeError(`tls.${found.option} ${found.problem}`)
  return createNodeTransport({ url: new URL(baseUrl), tls, proxy })
}

/** Whether this is Node, Deno or Bun. Workers that imitate Node have no agents. */
function hasAgents(): boolean {
  return (
    typeof process === 'object' &&
    process.versions?.node !== undefined &&
    globalThis.navigator?.userAgent !== 'Cloudflare-Workers'
  )
}

import type { TrustProxy } from '../../../core/index.ts'
import type { Notice } from '../log/log-format.ts'
import { announcedUrl, curlLines, type ListenAddress } from './listen-address.ts'

/** The URLs of the pages that an operator opens. */
export interface PageUrls {
  readonly docs?: string
  /** Of a server of its own. */
  readonly metrics?: string
}

/** Announces where the server listens, after the URLs of the pages. */
export function listeningNotice(address: ListenAddress, basePath: string, pages: PageUrls): Notice {
  const { docs, metrics } = pages
  const url = announcedUrl(address, basePath)
  const text = [docs && `documentation at ${docs}`, metrics && `metrics at ${metrics}`, `listening on ${url}`]
  return {
    level: 'info',
    event: 'listening',
    text: text.filter((line) => line).join('\n'),
    fields: { url, ...pages },
  }
}

/** Returns the warning that anonymous clients share one limit, since a connection of a Unix socket has no address. */
export function socketWarning(
  { kind }: ListenAddress,
  trustProxy: TrustProxy | undefined,
): string | undefined {
  if (kind === 'tcp' || (typeof trustProxy === 'number' && trustProxy > 0)) return undefined
  return 'the connections of a Unix socket have no address, so all anonymous clients share one limit: with a proxy in front, give its number of hops, such as --trust-proxy 1'
}

/**
 * Shows a key that was made at the start, with command lines that work unchanged in sh and in cmd, and how to issue others.
 *
 * @param curlTarget The arguments with which curl reaches the animals.
 * @param place The flag of a storage that can have keys.
 * @param program How this program was called.
 */
export function keyNotice(
  key: string,
  curlTarget: string,
  place: string | undefined,
  program: string,
): Notice {
  const { list: curl, add } = curlLines(key, curlTarget)
  const issue = `${program} keys issue --id NAME --plan PLAN ${place ?? '--keys keys.json'}`
  const until = place ? 'until one is issued, or the server stops' : 'until the server stops'
  const text = `No keys were given: here is one that works ${until}.

  ${key}

This line lists the animals, and the next one adds an animal:

  ${curl}
  ${add}

${place ? 'This line issues a key that stays, while the server runs or before' : 'This line issues a key that stays, in a file to start the server with'}:

  ${issue}
`
  return { level: 'info', event: 'key', text, fields: { key, curl, add, issue } }
}

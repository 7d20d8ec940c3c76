import type { ServiceOptions, TrustProxy } from '../../../core/index.ts'
import type { Notice } from '../log/log-format.ts'
import { storageFlag } from '../storage/storage.ts'
import type { StorageChoice } from '../storage/storage-settings.ts'
import { announcedUrl, curlArguments, curlLines, type ListenAddress, reachableUrl } from './listen-address.ts'

/** What the start says of, of the settings. */
interface NotedSettings {
  readonly service: Pick<ServiceOptions, 'basePath'>
  readonly docs: boolean
  readonly storage: StorageChoice | undefined
}

/** The addresses that the servers listen on. */
export interface Addresses {
  readonly main: ListenAddress
  readonly metrics: ListenAddress | undefined
}

/** Announces where the server listens, after the URLs of the pages that an operator opens unless it `isBrief`. */
export function listeningNotice(
  { docs, service: { basePath = '/v1' } }: NotedSettings,
  { main, metrics }: Addresses,
  isBrief: boolean,
): Notice {
  const url = announcedUrl(main, basePath)
  const pages = {
    ...(docs && main.kind === 'tcp' && !isBrief && { docs: reachableUrl(main, '/docs') }),
    ...(metrics && !isBrief && { metrics: announcedUrl(metrics, '/metrics') }),
  }
  const lines = [
    ...(pages.docs ? [`documentation at ${pages.docs}`] : []),
    ...(pages.metrics ? [`metrics at ${pages.metrics}`] : []),
    `listening on ${url}`,
  ]
  return { level: 'info', event: 'listening', text: lines.join('\n'), fields: { url, ...pages } }
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
 * @param program How this program was called.
 */
export function keyNotice(
  key: string,
  { storage, service: { basePath = '/v1' } }: NotedSettings,
  address: ListenAddress,
  program: string,
): Notice {
  const place = storageFlag(storage)
  const { list: curl, add } = curlLines(key, curlArguments(address, `${basePath}/pets`))
  const issue = `${program} ${place ? `keys issue ${place}` : 'keygen'} --id NAME --plan PLAN`
  const until = place ? 'until one is issued, or the server stops' : 'until the server stops'
  const text = `No keys were given: here is one that works ${until}.

  ${key}

This line lists the animals, and the next one adds an animal:

  ${curl}
  ${add}

${place ? 'This line issues a key that stays, while the server runs or before' : 'This line makes a key that stays, and its record for a file of keys, for --keys'}:

  ${issue}
`
  return { level: 'info', event: 'key', text, fields: { key, curl, add, issue } }
}

import { operations } from '../../core/index.ts'
import type { Configuration } from './configuration.ts'
import {
  announcedUrl,
  curlArguments,
  curlLines,
  type ListenAddress,
  reachableUrl,
} from './lifecycle/listen-address.ts'
import type { Notice } from './log/log-format.ts'
import { storageFlag } from './storage/storage.ts'

/** The addresses that the servers listen on. */
export interface Addresses {
  readonly main: ListenAddress
  readonly metrics: ListenAddress | undefined
}

/** Announces where the server listens, after the URLs of the pages that an operator opens. */
export function listeningNotice(
  { docs, service: { basePath = '/v1' } }: Pick<Configuration, 'docs' | 'service'>,
  { main, metrics }: Addresses,
): Notice {
  const url = announcedUrl(main, basePath)
  const pages = {
    ...(docs && main.kind === 'tcp' && { docs: reachableUrl(main, '/docs') }),
    ...(metrics && { metrics: announcedUrl(metrics, '/metrics') }),
  }
  const lines = [
    ...(pages.docs ? [`documentation at ${pages.docs}`] : []),
    ...(pages.metrics ? [`metrics at ${pages.metrics}`] : []),
    `listening on ${url}`,
  ]
  return { level: 'info', event: 'listening', text: lines.join('\n'), fields: { url, ...pages } }
}

/**
 * Shows a key that was made at the start, with command lines that work unchanged in sh and in cmd, and how to issue
 * others.
 *
 * @param program How this program was called.
 */
export function keyNotice(
  key: string,
  { storage, service: { basePath = '/v1' } }: Pick<Configuration, 'storage' | 'service'>,
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

/** How long before its removal an operation is warned of, in milliseconds: 90 days. */
const warningMs = 90 * 86_400_000

/** Returns a warning for each operation that is removed at `now` (ms since the epoch) or within 90 days. */
export function removalWarnings(now: number): readonly string[] {
  return operations.flatMap(({ id, deprecated }) => {
    if (!deprecated || deprecated.removal - now > warningMs) return []
    const date = new Date(deprecated.removal).toISOString().slice(0, 10)
    return [`${id} returns 410 from ${date} on: callers must use ${deprecated.successor} instead`]
  })
}

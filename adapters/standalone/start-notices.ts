import { operations } from '../../core/index.ts'
import { isoDate } from '../../core/internal.ts'
import type { ListenAddress } from './cli/addresses.ts'
import { quoted } from './cli/process-context.ts'
import type { Configuration } from './configuration.ts'
import { formatCurlLines, formatUrl } from './lifecycle/listen-address.ts'
import type { ProgramOutput } from './log/log-format.ts'
import { chooseDefaultStorage } from './storage/storage.ts'
import type { StorageChoice } from './storage/storage-settings.ts'

/** The addresses that the servers listen on. */
export interface Addresses {
  readonly main: ListenAddress
  readonly metrics: ListenAddress | undefined
}

/** Announces where the server listens, after the URLs of the pages that an operator opens. */
export function listeningNotice(
  { docs, service: { basePath = '/v1' } }: Pick<Configuration, 'docs' | 'service'>,
  { main, metrics }: Addresses,
): ProgramOutput {
  const url = formatUrl(main, basePath)
  const pages = {
    ...(docs && main.kind === 'tcp' && { docs: formatUrl(main, '/docs') }),
    ...(metrics && { metrics: formatUrl(metrics, '/metrics') }),
  }
  const lines = [
    ...(pages.docs ? [`documentation at ${pages.docs}`] : []),
    ...(pages.metrics ? [`metrics at ${pages.metrics}`] : []),
    `listening on ${url}`,
  ]
  return { level: 'info', event: 'listening', text: lines.join('\n'), fields: { url, ...pages } }
}

/** Files that Docker and Podman create in a container. */
const containerFiles: readonly string[] = ['/.dockerenv', '/run/.containerenv']

/** Returns a warning if the server is in a container and listens on its loopback interface. */
export function createLoopbackWarning(
  address: ListenAddress,
  exists: (path: string) => boolean,
): string | undefined {
  if (address.kind !== 'tcp' || !/^(?:127\.|::1$|localhost$)/.test(address.host)) return undefined
  if (!containerFiles.some(exists)) return undefined
  return `nothing outside this container reaches ${address.host}: set HOST=0.0.0.0, unless the container shares the network of its clients`
}

/** Shows a key that was made at the start, with command lines that use it, and how `program` issues others. */
export function createKeyNotice(
  key: string,
  { storage, service: { basePath = '/v1' } }: Pick<Configuration, 'storage' | 'service'>,
  address: ListenAddress,
  program: string,
): ProgramOutput {
  const path = `${basePath}/pets`
  const target =
    address.kind === 'unix'
      ? `--unix-socket "${address.path}" "http://localhost${path}"`
      : `"${formatUrl(address, path)}"`
  const { list: curl, add } = formatCurlLines(key, target)
  const place = storageFlags(storage ?? chooseDefaultStorage())
  const issue = `${program} ${place ? `keys issue ${place}` : 'keygen'} --id NAME --plan PLAN`
  const until = place ? 'until one is issued, or the server stops' : 'until the server stops'
  const text = `No keys were given: here is one that works ${until}.

  ${key}

This line lists the animals, and the next one adds an animal:

  ${curl}
  ${add}

${place ? 'This command issues a key that stays' : 'This command makes a key that stays, and its record for a file of keys, for --keys'}:

  ${issue}
`
  return { level: 'info', event: 'key', text, fields: { key, curl, add, issue } }
}

/**
 * Returns the flags that select the storage in a command. They contain no address, which may have a password. Undefined
 * if the storage is in memory.
 */
function storageFlags({ kind, value, table }: StorageChoice): string | undefined {
  if (kind === 'memory') return undefined
  return kind === 'data' ? `--data ${quoted(value)}` : `--postgres URL${table ? ` --table ${table}` : ''}`
}

/** Period of warnings before the removal of an operation, in milliseconds: 90 days. */
const warningMs = 90 * 86_400_000

/** Returns a warning for each operation that is removed at `now` (ms since the epoch) or within 90 days. */
export function createRemovalWarnings(now: number): readonly string[] {
  return operations.flatMap(({ id, deprecated }) => {
    if (!deprecated || deprecated.removal - now > warningMs) return []
    const date = isoDate(deprecated.removal)
    return [`${id} returns 410 from ${date} on: callers must use ${deprecated.successor} instead`]
  })
}

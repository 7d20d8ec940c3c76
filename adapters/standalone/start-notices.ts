import { operations } from '../../core/index.ts'
import { toIsoDate } from '../../core/internal.ts'
import { chooseDefaultStore, type StoreChoice } from './backends/open-store.ts'
import type { ListenAddress } from './cli/addresses.ts'
import { quoteForShell } from './cli/process-context.ts'
import type { Configuration } from './configuration.ts'
import { formatCurlCommands, formatUrl } from './lifecycle/listen-address.ts'
import type { Notice } from './log/log-format.ts'

export interface Addresses {
  readonly main: ListenAddress
  readonly metrics: ListenAddress | undefined
}

/** Creates the notice that the server is listening, with its page URLs. */
export function createListeningNotice(
  { docs, service: { basePath = '/v1' } }: Pick<Configuration, 'docs' | 'service'>,
  { main, metrics }: Addresses,
): Notice {
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

/** Files that Docker and Podman create in containers. */
const containerFiles: readonly string[] = ['/.dockerenv', '/run/.containerenv']

/** Returns a warning if the server is in a container and listens only on loopback. */
export function createLoopbackWarning(
  address: ListenAddress,
  exists: (path: string) => boolean,
): string | undefined {
  if (address.kind !== 'tcp' || !/^(?:127\.|::1$|localhost$)/.test(address.host)) return undefined
  if (!containerFiles.some(exists)) return undefined
  return `nothing outside this container can reach ${address.host}: set HOST=0.0.0.0, unless clients share the container's network`
}

/** Creates the notice that shows a new key, commands that use it, and the command that issues more keys. */
export function createKeyNotice(
  key: string,
  { store, service: { basePath = '/v1' } }: Pick<Configuration, 'store' | 'service'>,
  address: ListenAddress,
  program: string,
): Notice {
  const path = `${basePath}/pets`
  const target =
    address.kind === 'unix'
      ? `--unix-socket "${address.path}" "http://localhost${path}"`
      : `"${formatUrl(address, path)}"`
  const { list: curl, add } = formatCurlCommands(key, target)
  const place = formatStoreFlags(store ?? chooseDefaultStore())
  const issue = `${program} ${place ? `keys issue ${place}` : 'keygen'} --id NAME --plan PLAN`
  const text = `No API key was configured. This key works until the server stops:

  ${key}

These commands list animals and create one:

  ${curl}
  ${add}

${place ? 'To create a permanent key' : 'To create a permanent key and its record for a keys file (--keys)'}:

  ${issue}
`
  return { level: 'info', event: 'key', text, fields: { key, curl, add, issue } }
}

/**
 * Formats the flags that select the store. The URL is a placeholder, because it may contain a password. Returns
 * `undefined` for a store in memory.
 */
function formatStoreFlags({ kind, value, table }: StoreChoice): string | undefined {
  if (kind === 'memory') return undefined
  return kind === 'data'
    ? `--data ${quoteForShell(value)}`
    : `--${kind} URL${table ? ` --table ${table}` : ''}`
}

/** Warnings begin this long before a removal, in milliseconds. */
const removalNoticeMs = 90 * 86_400_000

/** Returns a warning for each operation that is removed at `now` (milliseconds since the epoch) or within 90 days. */
export function createRemovalWarnings(now: number): readonly string[] {
  return operations.flatMap(({ id, deprecated }) => {
    if (!deprecated || deprecated.removal - now > removalNoticeMs) return []
    const date = toIsoDate(deprecated.removal)
    return [`${id} returns 410 from ${date}: callers must use ${deprecated.successor} instead`]
  })
}

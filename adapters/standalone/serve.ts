import type { ProcessContext } from './cli/process-context.ts'
import type { Settings } from './cli/settings.ts'
import { compose, type Servers } from './compose.ts'
import { type Configuration, readConfiguration } from './configuration.ts'
import type { OpenKeys } from './keys/open-keys.ts'
import { releaseMemoryWhenIdle } from './lifecycle/idle-memory.ts'
import { readInheritedSockets } from './lifecycle/inherited-sockets.ts'
import { listen } from './lifecycle/listen.ts'
import { announcedUrl, curlArguments, type ListenAddress, reachableUrl } from './lifecycle/listen-address.ts'
import { watchParent } from './lifecycle/parent.ts'
import { watchRemovals } from './lifecycle/removals.ts'
import { refuseMadeKey, sharedPortWarnings } from './lifecycle/shared-port.ts'
import { keyNotice, listeningNotice, socketWarning } from './lifecycle/start-notices.ts'
import { untilStopped } from './lifecycle/stop.ts'
import type { Log } from './log/log.ts'
import type { Notice } from './log/log-format.ts'
import { openParts } from './parts.ts'
import { storageFlag } from './storage/storage.ts'

/** Serves until a signal. Resolves with the exit code; rejects with `UsageError` or `StartError`. */
export async function serve(settings: Settings, context: ProcessContext, log: Log): Promise<number> {
  const configuration = readConfiguration(settings, readInheritedSockets(context.env, context.pid))
  const parts = await openParts(configuration, context, log)
  const servers = compose(configuration, parts, context, log)
  let unwatch: readonly (() => void)[] = []
  try {
    if (parts.keys.made) refuseMadeKey(configuration)
    const addresses = await listenOn(configuration, servers)
    releaseMemoryWhenIdle()
    const stopped = untilStopped(context.events, servers.main, log)
    unwatch = [
      watchRemovals(context.clock, (warning) => log.warning('removal', warning)),
      watchParent(context.env, (reason) => context.events.emit('SIGTERM', reason)),
    ]
    if (parts.keys.reload) context.events.on('SIGHUP', parts.keys.reload)
    for (const [event, warning] of warningsOf(configuration, addresses.main)) log.warning(event, warning)
    const showKey = (keys: OpenKeys) => showMadeKey(keys, configuration, addresses.main, context, log)
    if (!parts.opening) showKey(parts.keys)
    log.notice('stdout', noticeOf(configuration, addresses, log))
    const opened = parts.opening?.then((keys) => {
      if (keys.made) refuseMadeKey(configuration)
      showKey(keys)
      return stopped
    })
    const exitCode = await Promise.race([stopped, opened ?? stopped])
    // After a drain that was cut short, the process exits without closing them.
    if (exitCode === 0) await parts.close()
    return exitCode
  } finally {
    parts.keys.close()
    for (const end of [...unwatch, servers.close]) end()
  }
}

/** The addresses that the servers listen on. */
interface Addresses {
  readonly main: ListenAddress
  readonly metrics: ListenAddress | undefined
}

/** Starts to listen, on the address of the metrics first. */
async function listenOn(configuration: Configuration, { main, metrics }: Servers): Promise<Addresses> {
  const metricsListening = configuration.metrics === 'main' ? undefined : configuration.metrics
  const metricsAddress = metrics && metricsListening && (await listen(metrics, metricsListening))
  return { main: await listen(main, configuration.listening), metrics: metricsAddress }
}

/** Returns the warnings about where a server listens, each with its event. */
function warningsOf(configuration: Configuration, address: ListenAddress): readonly [string, string][] {
  const warning = socketWarning(address, configuration.service.trustProxy)
  return [
    ...(warning ? [['no-addresses', warning] satisfies [string, string]] : []),
    ...sharedPortWarnings(configuration).map((warning): [string, string] => ['shared-port', warning]),
  ]
}

/** Shows a key that was made at the start. */
function showMadeKey(
  { made }: OpenKeys,
  { storage, service: { basePath = '/v1' } }: Configuration,
  address: ListenAddress,
  { program }: ProcessContext,
  log: Log,
): void {
  if (!made) return
  const notice = keyNotice(made, curlArguments(address, `${basePath}/pets`), storageFlag(storage), program)
  log.notice(log.format === 'pretty' ? 'stdout' : 'stderr', notice)
}

/** Returns the announcement of where the servers listen. */
function noticeOf(
  { docs, service: { basePath = '/v1' } }: Configuration,
  { main, metrics }: Addresses,
  log: Log,
): Notice {
  const urls = {
    ...(docs && main.kind === 'tcp' && { docs: reachableUrl(main, '/docs') }),
    ...(metrics && { metrics: announcedUrl(metrics, '/metrics') }),
  }
  return listeningNotice(main, basePath, log.format === 'silent' ? {} : urls)
}

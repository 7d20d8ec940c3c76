import type { ProcessContext } from './cli/process-context.ts'
import type { Settings } from './cli/settings.ts'
import { compose, type Servers } from './compose.ts'
import { type Configuration, readConfiguration } from './configuration.ts'
import { watchForwarded } from './lifecycle/forwarded.ts'
import { listen } from './lifecycle/listen.ts'
import { readInheritedSockets } from './lifecycle/listen-settings.ts'
import { removalWarnings } from './lifecycle/removals.ts'
import { type Addresses, keyNotice, listeningNotice, socketWarning } from './lifecycle/start-notices.ts'
import { reloadSignal, untilStopped, watchParent } from './lifecycle/stop.ts'
import type { Log } from './log/log.ts'
import { openParts } from './parts.ts'

/** Serves until a signal. Resolves with the exit code; rejects with `UsageError` or `StartError`. */
export async function serve(settings: Settings, context: ProcessContext, log: Log): Promise<number> {
  const configuration = readConfiguration(settings, readInheritedSockets(context.env, context.pid))
  const parts = await openParts(configuration, context, log)
  const ends: (() => void)[] = []
  try {
    const servers = compose(configuration, parts, context, log)
    ends.push(servers.close)
    const addresses = await listenOn(configuration, servers)
    const stopped = untilStopped(context.events, servers.main, log)
    for (const warning of removalWarnings(context.clock())) log.warning('removal', warning)
    ends.push(watchParent(context.env, (reason) => context.events.emit('SIGTERM', reason)))
    if (parts.keys.reload && reloadSignal) context.events.on(reloadSignal, parts.keys.reload)
    const { trustProxy } = configuration.service
    const noAddresses = socketWarning(addresses.main, trustProxy)
    if (noAddresses) log.warning('no-addresses', noAddresses)
    else if (trustProxy === undefined)
      watchForwarded(servers.main, (warning) => log.warning('untrusted-proxy', warning))
    if (parts.keys.made) {
      const notice = keyNotice(parts.keys.made, configuration, addresses.main, context.program)
      log.notice(log.format === 'pretty' ? 'stdout' : 'stderr', notice)
    }
    log.notice('stdout', listeningNotice(configuration, addresses, log.format === 'silent'))
    const exitCode = await stopped
    // After a drain that was cut short, the process exits without closing them.
    if (exitCode === 0) await parts.close()
    return exitCode
  } catch (cause) {
    await parts.close()
    throw cause
  } finally {
    parts.keys.close?.()
    for (const end of ends) end()
  }
}

/** Starts to listen, on the address of the metrics first. */
async function listenOn(configuration: Configuration, { main, metrics }: Servers): Promise<Addresses> {
  const metricsListening = configuration.metrics === 'main' ? undefined : configuration.metrics
  const metricsAddress = metrics && metricsListening && (await listen(metrics, metricsListening))
  return { main: await listen(main, configuration.listening), metrics: metricsAddress }
}

import type { IncomingMessage, Server } from 'node:http'
import type { ProcessContext } from './cli/process-context.ts'
import { type Configuration, readConfiguration, type ServeSettings } from './configuration.ts'
import { listen } from './lifecycle/listen.ts'
import { readInheritedSocket } from './lifecycle/listen-settings.ts'
import { reloadSignal, untilStopped, watchParent } from './lifecycle/stop.ts'
import type { Log } from './log/log.ts'
import { type OpenServer, openServer } from './server.ts'
import {
  type Addresses,
  createKeyNotice,
  createLoopbackWarning,
  createRemovalWarnings,
  listeningNotice,
} from './start-notices.ts'

/** Serves until a signal. Resolves with the exit code; rejects with `UsageError` or `StartError`. */
export async function serve(settings: ServeSettings, context: ProcessContext, log: Log): Promise<number> {
  const configuration = readConfiguration(settings, readInheritedSocket(context.env, context.pid))
  const server = await openServer(configuration, context, log)
  const { keys } = server
  try {
    const addresses = await listenOn(configuration, server)
    const stopped = untilStopped(context.events, server.main, log)
    for (const warning of createRemovalWarnings(context.clock())) log.warning('removal', warning)
    const unreachable = createLoopbackWarning(addresses.main, context.exists)
    if (unreachable) log.warning('container-loopback', unreachable)
    // The shell of npm passes no signal on, and would leave a server that nobody stops.
    if (context.env.npm_lifecycle_event) watchParent(() => context.events.emit('SIGTERM'))
    const { reload } = keys
    if (reload && reloadSignal) context.events.on(reloadSignal, () => void reload())
    if (configuration.service.trustProxy === undefined) warnOfUntrustedProxy(server.main, log)
    if (keys.made) {
      const notice = createKeyNotice(keys.made, configuration, addresses.main, context.program)
      log.notice(log.format === 'pretty' ? 'stdout' : 'stderr', notice)
    }
    log.notice('stdout', listeningNotice(configuration, addresses))
    const exitCode = await stopped
    // After a drain that was cut short, the process exits without closing them.
    if (exitCode === 0) await server.closeBackends()
    return exitCode
  } catch (cause) {
    await server.closeBackends()
    throw cause
  } finally {
    server.closeSockets()
  }
}

/** Warns once one of the first 1,000 requests says that it came through a proxy. The later ones cost nothing. */
function warnOfUntrustedProxy(server: Server, log: Log): void {
  let requests = 0

  function look({ headers }: IncomingMessage): void {
    requests++
    const isForwarded = headers['x-forwarded-for'] !== undefined
    if (isForwarded || requests === 1_000) server.off('request', look)
    if (isForwarded)
      log.warning(
        'untrusted-proxy',
        'a request came with X-Forwarded-For, but no proxy is trusted, so all anonymous clients behind one share a limit: with a proxy in front, give the number of hops, such as --trust-proxy 1; without one, --trust-proxy 0',
      )
  }

  server.on('request', look)
}

/** Starts to listen, on the address of the metrics first. */
async function listenOn(configuration: Configuration, { main, metrics }: OpenServer): Promise<Addresses> {
  const { listening, metrics: place } = configuration
  const metricsAddress = metrics && place && place !== 'main' ? await listen(metrics, place) : undefined
  return { main: await listen(main, listening), metrics: metricsAddress }
}

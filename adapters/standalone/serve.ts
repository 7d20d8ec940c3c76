import type { IncomingMessage, Server } from 'node:http'
import type { ProcessContext } from './cli/process-context.ts'
import { type Configuration, readConfiguration, type ServeSettings } from './configuration.ts'
import type { OpenKeys } from './keys/open-keys.ts'
import { listen } from './lifecycle/listen.ts'
import { readInheritedSocket } from './lifecycle/listen-settings.ts'
import { reloadSignal, waitUntilStopped, watchParent } from './lifecycle/stop.ts'
import type { Log } from './log/log.ts'
import { type OpenServer, openServer } from './server.ts'
import {
  type Addresses,
  createKeyNotice,
  createListeningNotice,
  createLoopbackWarning,
  createRemovalWarnings,
} from './start-notices.ts'

/**
 * Serves until a signal arrives, and resolves with the exit code.
 *
 * @throws {UsageError | StartError} If the server cannot start.
 */
export async function serve(settings: ServeSettings, context: ProcessContext, log: Log): Promise<number> {
  let reload: OpenKeys['reload']
  if (reloadSignal) context.events.on(reloadSignal, () => void reload?.())
  context.events.on('SIGUSR1', () => {}) // without a listener, Node opens its inspector, which can run any code
  const configuration = readConfiguration(settings, readInheritedSocket(context.env, context.pid))
  const server = await openServer(configuration, context, log)
  const { keys } = server
  reload = keys.reload
  try {
    const addresses = await startListening(configuration, server)
    const stopped = waitUntilStopped(context.events, server.main, log)
    for (const warning of createRemovalWarnings(context.clock())) log.warning('removal', warning)
    const unreachable = createLoopbackWarning(addresses.main, context.exists)
    if (unreachable) log.warning('container-loopback', unreachable)
    // npm's shell does not pass signals on and would leave the server running.
    if (context.env.npm_lifecycle_event) watchParent(() => context.events.emit('SIGTERM'))
    if (configuration.service.trustProxy === undefined) watchForUntrustedProxy(server.main, log)
    if (keys.generatedKey) {
      const notice = createKeyNotice(keys.generatedKey, configuration, addresses.main, context.program)
      log.notice(log.format === 'pretty' ? 'stdout' : 'stderr', notice)
    }
    log.notice('stdout', createListeningNotice(configuration, addresses))
    const exitCode = await stopped
    // After a shutdown that ran out of time, the process exits without closing the backends.
    if (exitCode === 0) await server.closeBackends()
    return exitCode
  } catch (cause) {
    await server.closeBackends()
    throw cause
  } finally {
    server.closeSockets()
  }
}

/** Warns if one of the first 1,000 requests came through a proxy. Later requests are not checked. */
function watchForUntrustedProxy(server: Server, log: Log): void {
  let requests = 0

  function checkRequest({ headers }: IncomingMessage): void {
    requests++
    const isForwarded = headers['x-forwarded-for'] !== undefined
    if (isForwarded || requests === 1_000) server.off('request', checkRequest)
    if (isForwarded)
      log.warning(
        'untrusted-proxy',
        'a request has X-Forwarded-For, but no proxy is trusted, so all anonymous clients behind a proxy share one limit: set the number of proxies, such as --trust-proxy 1, or --trust-proxy 0 if there is none',
      )
  }

  server.on('request', checkRequest)
}

/** Starts listening, on the metrics address first. */
async function startListening(
  configuration: Configuration,
  { main, metrics }: OpenServer,
): Promise<Addresses> {
  const { listening, metrics: place } = configuration
  const metricsAddress = metrics && place && place !== 'main' ? await listen(metrics, place) : undefined
  return { main: await listen(main, listening), metrics: metricsAddress }
}

import { createPetService } from '../../core/index.ts'
import { createClientReader } from '../../core/internal.ts'
import { createNodeHandler, createPetServer } from '../node-http.ts'
import { readConfiguration } from './cli/configuration.ts'
import type { ProcessContext } from './cli/process-context.ts'
import type { Settings } from './cli/settings.ts'
import { openKeys } from './keys/keys.ts'
import { baseAddress, reachableAddress } from './lifecycle/base-address.ts'
import { connectionsWithin, readDescriptorLimit } from './lifecycle/descriptors.ts'
import { releaseMemoryWhenIdle } from './lifecycle/idle-memory.ts'
import { listen } from './lifecycle/listen.ts'
import { keyNotice, listeningNotice, removalWarnings } from './lifecycle/start-notices.ts'
import { untilStopped } from './lifecycle/stop.ts'
import { openLimiter } from './limiter/limiter.ts'
import type { Log } from './log/log.ts'
import { createServiceHooks } from './log/service-hooks.ts'
import { createThrottledLog } from './log/throttled-log.ts'
import { descriptionPages } from './routes/docs/routes.ts'
import { withExtraRoutes } from './routes/extra-routes.ts'
import { healthPages } from './routes/health.ts'
import { createMetrics } from './routes/metrics/metrics.ts'
import { metricsPages } from './routes/metrics/route.ts'
import { createPageLimit } from './routes/page-limit.ts'
import { openStorage } from './storage/storage.ts'

/** Serves until a signal. Resolves with the exit code; rejects with `UsageError` or `StartError`. */
export async function serve(settings: Settings, context: ProcessContext, log: Log): Promise<number> {
  const { clock, events } = context
  const throttled = createThrottledLog(log, clock)
  const partsLog = { info: log.info, ...throttled }
  const configuration = readConfiguration(settings)
  const { host } = configuration
  const keys = openKeys(configuration.keys, clock, log)
  const limiter = await openLimiter(configuration.limiter, clock, partsLog)
  const storage = await openStorage(configuration.storage, partsLog).catch(async (cause) => {
    await limiter.close()
    throw cause
  })
  const metrics = configuration.metrics
    ? createMetrics({ startedAt: performance.timeOrigin, logLinesLost: () => log.linesLost })
    : undefined
  const { onPage, ...hooks } = createServiceHooks(log, throttled, metrics, configuration.log)

  const parts = { store: storage.store, limiter: limiter.limiter }
  const service = createPetService({
    ...configuration.service,
    ...hooks,
    ...parts,
    keys: keys.store,
    clock,
  })
  const pages = {
    unlimited: healthPages({ ...parts, isStopping: () => server.isClosing, log: throttled }),
    limited: {
      ...descriptionPages(configuration.service, configuration.docs),
      ...(metrics && metricsPages(metrics)),
    },
  }
  const pageService = withExtraRoutes(service, pages, {
    limit: createPageLimit(clock),
    readClient: createClientReader(configuration.service.trustProxy),
    requestId: hooks.requestId,
    ...(onPage && { onResponse: onPage }),
  })
  const maxConnections = connectionsWithin(readDescriptorLimit())
  const server = createPetServer(service, {
    fallback: createNodeHandler(pageService),
    maxConnections,
    onConnectionRefused() {
      metrics?.recordRefusedConnection()
      throttled.warning(
        'connections-refused',
        `a connection was closed: ${maxConnections} are open, the most`,
      )
    },
  })

  try {
    const port = await listen(server, host, configuration.port)
    releaseMemoryWhenIdle()
    const stopped = untilStopped(events, server, log)
    if (keys.reload) events.on('SIGHUP', keys.reload)
    for (const warning of removalWarnings(clock())) log.warning('removal', warning)
    if (keys.made) {
      const notice = keyNotice(keys.made, reachableAddress(host, port, service.basePath))
      log.notice(log.format === 'pretty' ? 'stdout' : 'stderr', notice)
    }
    const url = baseAddress(host, port, service.basePath)
    const docs = configuration.docs && log.format !== 'silent' && reachableAddress(host, port, '/docs')
    log.notice('stdout', listeningNotice(url, docs))
    const exitCode = await stopped
    // After a drain that was cut short, the process exits without closing them.
    if (exitCode === 0) await Promise.all([storage.close(), limiter.close()])
    return exitCode
  } finally {
    server.close().closeAllConnections()
  }
}

import { createPetService } from '../../core/index.ts'
import { createClientReader } from '../../core/internal.ts'
import { createNodeHandler, createPetServer } from '../node-http.ts'
import { readConfiguration } from './cli/configuration.ts'
import { readInheritedSockets } from './cli/inherited-sockets.ts'
import type { ProcessContext } from './cli/process-context.ts'
import type { Settings } from './cli/settings.ts'
import { prepareKeys } from './keys/keys.ts'
import { countConnections } from './lifecycle/connections.ts'
import { connectionsWithin, readDescriptorLimit } from './lifecycle/descriptors.ts'
import { watchEventLoop } from './lifecycle/event-loop.ts'
import { releaseMemoryWhenIdle } from './lifecycle/idle-memory.ts'
import { listen } from './lifecycle/listen.ts'
import { announcedUrl, curlArguments, reachableUrl } from './lifecycle/listen-address.ts'
import { watchRemovals } from './lifecycle/removals.ts'
import { refuseMadeKey, sharedPortWarnings } from './lifecycle/shared-port.ts'
import { keyNotice, listeningNotice, socketWarning } from './lifecycle/start-notices.ts'
import { untilStopped } from './lifecycle/stop.ts'
import { openLimiter } from './limiter/limiter.ts'
import type { Log } from './log/log.ts'
import { createServiceHooks } from './log/service-hooks.ts'
import { createThrottledLog } from './log/throttled-log.ts'
import { descriptionPages } from './routes/docs/routes.ts'
import { withExtraRoutes } from './routes/extra-routes.ts'
import { healthPages } from './routes/health.ts'
import { createInFlight } from './routes/metrics/in-flight.ts'
import { createMetrics } from './routes/metrics/metrics.ts'
import {
  keyReadings,
  limiterReadings,
  operationReadings,
  processReadings,
  storageReadings,
} from './routes/metrics/readings.ts'
import { metricsPages } from './routes/metrics/route.ts'
import { createMetricsServer } from './routes/metrics/server.ts'
import { createPageLimit } from './routes/page-limit.ts'
import { openStorage, storageFlag } from './storage/storage.ts'
import { version } from './version.ts'

/** Serves until a signal. Resolves with the exit code; rejects with `UsageError` or `StartError`. */
export async function serve(settings: Settings, context: ProcessContext, log: Log): Promise<number> {
  const { clock, events } = context
  const throttled = createThrottledLog(log, clock)
  const partsLog = { info: log.info, ...throttled }
  const configuration = readConfiguration(settings, readInheritedSockets(context.env, context.pid))
  const openKeys = prepareKeys(configuration.keys, clock, log)
  const limiter = await openLimiter(configuration.limiter, clock, partsLog)
  const storage = await openStorage(configuration.storage, partsLog, {
    migrates: configuration.migrates,
    clock,
    events,
  }).catch(async (cause) => {
    await limiter.close()
    throw cause
  })
  const keys = await openKeys(storage.keys).catch(async (cause) => {
    await Promise.all([storage.close(), limiter.close()])
    throw cause
  })
  const inFlight = createInFlight()
  const eventLoop = configuration.metrics ? watchEventLoop() : undefined
  const metrics = configuration.metrics
    ? createMetrics({
        ...processReadings(performance.timeOrigin),
        ...keyReadings(keys.figures),
        ...operationReadings(),
        ...limiterReadings(limiter.figures),
        ...storageReadings(storage),
        pet_adoption_requests_in_flight: () => inFlight.count,
        pet_adoption_connections: () => connections(),
        pet_adoption_log_lines_lost_total: () => log.linesLost,
        pet_adoption_build_info: () => [[1, version()]],
        nodejs_eventloop_lag_seconds: () => eventLoop?.longest(),
      })
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
  const pagesOfMetrics =
    metrics && metricsPages(metrics, () => Promise.all([keys.refresh(), storage.check()]))
  const metricsListening = configuration.metrics === 'main' ? undefined : configuration.metrics
  const pages = {
    unlimited: healthPages({
      limiter: limiter.limiter,
      checkStorage: storage.check,
      isStopping: () => server.isClosing,
      log: throttled,
    }),
    limited: {
      ...descriptionPages({ ...configuration.service, store: storage.store }, configuration.docs),
      ...(!metricsListening && pagesOfMetrics),
    },
  }
  const pageOptions = {
    limit: createPageLimit(clock),
    readClient: createClientReader(configuration.service.trustProxy),
    requestId: hooks.requestId,
    ...(onPage && { onResponse: onPage }),
  }
  const pageService = withExtraRoutes(service, pages, pageOptions)
  const maxConnections = connectionsWithin(readDescriptorLimit())
  const server = createPetServer(metrics ? inFlight.watch(service) : service, {
    fallback: createNodeHandler(pageService),
    maxConnections,
    // Those that wait at an inherited socket are for the next process.
    ...(configuration.listening.address.kind === 'inherited' && { acceptMs: 0 }),
    onConnectionRefused() {
      metrics?.recordRefusedConnection()
      throttled.warning(
        'connections-refused',
        `a connection was closed: ${maxConnections} are open, the most`,
      )
    },
  })
  const connections = countConnections(server)
  const metricsServer = pagesOfMetrics && createMetricsServer(service, pagesOfMetrics, pageOptions)

  let unwatchRemovals: (() => void) | undefined
  try {
    if (keys.made) refuseMadeKey(configuration)
    const metricsAddress =
      metricsServer && metricsListening && (await listen(metricsServer, metricsListening))
    const address = await listen(server, configuration.listening)
    releaseMemoryWhenIdle()
    const stopped = untilStopped(events, server, log)
    if (keys.reload) events.on('SIGHUP', keys.reload)
    unwatchRemovals = watchRemovals(clock, (warning) => log.warning('removal', warning))
    const warning = socketWarning(address, configuration.service.trustProxy)
    if (warning) log.warning('no-addresses', warning)
    for (const warning of sharedPortWarnings(configuration)) log.warning('shared-port', warning)
    if (keys.made) {
      const place = storage.keys && storageFlag(configuration.storage)
      const notice = keyNotice(
        keys.made,
        curlArguments(address, `${service.basePath}/pets`),
        place,
        context.program,
      )
      log.notice(log.format === 'pretty' ? 'stdout' : 'stderr', notice)
    }
    const urls = {
      ...(configuration.docs && address.kind === 'tcp' && { docs: reachableUrl(address, '/docs') }),
      ...(metricsAddress && { metrics: announcedUrl(metricsAddress, '/metrics') }),
    }
    log.notice('stdout', listeningNotice(address, service.basePath, log.format === 'silent' ? {} : urls))
    const exitCode = await stopped
    // After a drain that was cut short, the process exits without closing them.
    if (exitCode === 0) await Promise.all([storage.close(), limiter.close()])
    return exitCode
  } finally {
    keys.close()
    unwatchRemovals?.()
    eventLoop?.close()
    server.close().closeAllConnections()
    metricsServer?.close().closeAllConnections()
  }
}

import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { createPetService } from '../../core/index.ts'
import { isUnavailable } from '../../core/internal.ts'
import { createNodeHandler, dedicatedServerOptions, hardenServer } from '../node-http.ts'
import { readConfiguration } from './cli/configuration.ts'
import type { ProcessContext } from './cli/process-context.ts'
import type { Settings } from './cli/settings.ts'
import { explain } from './errors.ts'
import { keyNotice } from './keys/key-notice.ts'
import { openKeys } from './keys/keys.ts'
import { baseAddress, reachableAddress } from './lifecycle/base-address.ts'
import { createDrain } from './lifecycle/drain.ts'
import { listen } from './lifecycle/listen.ts'
import { listeningNotice } from './lifecycle/listening-notice.ts'
import { removalWarnings } from './lifecycle/removal-warning.ts'
import { untilStopped } from './lifecycle/stop.ts'
import { openLimiter } from './limiter/limiter.ts'
import type { Log } from './log/log.ts'
import { createFaultLog } from './log/repeated-warnings.ts'
import { descriptionPages } from './routes/docs/routes.ts'
import { withExtraRoutes } from './routes/extra-routes.ts'
import { healthPages } from './routes/health.ts'
import { createMetrics } from './routes/metrics/metrics.ts'
import { metricsPages } from './routes/metrics/route.ts'
import { createPageLimit } from './routes/page-limit.ts'
import { openStorage } from './storage/storage.ts'

/** Serves until a signal. Resolves with the exit code; rejects with `UsageError` or `StartError`. */
export async function serve(settings: Settings, program: ProcessContext, log: Log): Promise<number> {
  const { clock, events } = program
  const faults = createFaultLog(log, clock)
  const configuration = readConfiguration(settings)
  const { host } = configuration
  const keys = openKeys(configuration.keys, clock, log)
  const limiter = await openLimiter(configuration.limiter, clock, { ...log, ...faults })
  const storage = await openStorage(configuration.storage, { ...log, ...faults }).catch(async (cause) => {
    await limiter.close()
    throw cause
  })
  const metrics = configuration.metrics ? createMetrics(performance.timeOrigin) : undefined
  const answers = {
    requestId: () => randomUUID(),
    ...(log.answered && { onResponse: log.answered }),
  }

  const parts = { store: storage.store, limiter: limiter.limiter }
  const service = createPetService({
    ...configuration.service,
    ...answers,
    ...parts,
    ...(metrics && {
      onResponse(event) {
        metrics.answered(event)
        log.answered?.(event)
      },
    }),
    keys: keys.store,
    clock,
    onError(cause) {
      metrics?.failed(cause)
      if (isUnavailable(cause)) faults.error('unavailable', explain(cause, false))
      else log.error('failure', explain(cause, true))
    },
  })
  const server = createServer(dedicatedServerOptions)
  hardenServer(server, service)
  const drain = createDrain(server)
  const pages = {
    unlimited: healthPages({ ...parts, isStopping: () => drain.begun, log: faults }),
    limited: {
      ...descriptionPages(configuration.service, configuration.docs),
      ...(metrics && metricsPages(metrics)),
    },
  }
  const limit = createPageLimit(clock, configuration.service.trustProxy)
  const fallback = createNodeHandler(withExtraRoutes(service, pages, { ...answers, limit }))
  server.on('request', drain.watch(createNodeHandler(service, { fallback })))

  try {
    const port = await listen(server, host, configuration.port)
    const stopped = untilStopped(events, drain, log)
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
    // What was cut short ends at once, and waits for no part.
    if (exitCode === 0) await Promise.all([storage.close(), limiter.close()])
    return exitCode
  } finally {
    server.close().closeAllConnections()
  }
}

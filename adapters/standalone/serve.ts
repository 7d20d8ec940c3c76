import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { createPetService, Unavailable } from '../../core/index.ts'
import { createNodeHandler, harden, ownServerOptions } from '../node-http.ts'
import { baseAddress, reachableAddress } from './address.ts'
import { readConfiguration } from './configuration.ts'
import { descriptionPages } from './docs/pages.ts'
import { createDrain } from './drain.ts'
import { explain } from './failures.ts'
import { createFaultLog } from './fault-log.ts'
import { healthPages } from './health.ts'
import { keyNotice } from './key-notice.ts'
import { openKeys } from './keys.ts'
import { openLimiter } from './limiter.ts'
import { listen } from './listen.ts'
import { listeningNotice } from './listening-notice.ts'
import type { Log } from './log.ts'
import { createMetrics } from './metrics/metrics.ts'
import { metricsPages } from './metrics/pages.ts'
import { createPageLimit } from './page-limit.ts'
import { besideService } from './pages.ts'
import type { Program } from './program.ts'
import { removalWarnings } from './removal-warning.ts'
import type { Settings } from './settings.ts'
import { untilStopped } from './stop.ts'
import { openStorage } from './storage.ts'

/** Serves until a signal. Resolves with the exit code; rejects with `UsageError` or `StartError`. */
export async function serve(settings: Settings, program: Program, log: Log): Promise<number> {
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
    ...(log.answered && { onAnswer: log.answered }),
  }

  const parts = { store: storage.store, limiter: limiter.limiter }
  const service = createPetService({
    ...configuration.service,
    ...answers,
    ...parts,
    ...(metrics && {
      onAnswer(event) {
        metrics.answered(event)
        log.answered?.(event)
      },
    }),
    keys: keys.store,
    clock,
    onError(cause) {
      metrics?.failed(cause)
      if (cause instanceof Unavailable) faults.error('unavailable', explain(cause, false))
      else log.error('failure', explain(cause, true))
    },
  })
  const server = createServer(ownServerOptions)
  harden(server, service)
  const drain = createDrain(server)
  const pages = {
    unlimited: healthPages({ ...parts, isStopping: () => drain.begun, log: faults }),
    limited: {
      ...descriptionPages(configuration.service, configuration.docs),
      ...(metrics && metricsPages(metrics)),
    },
  }
  const limit = createPageLimit(clock, configuration.service.trustProxy)
  const fallback = createNodeHandler(besideService(service, pages, { ...answers, limit }))
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

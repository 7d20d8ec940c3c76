import { createServer, type Server } from 'node:http'
import { ApiError, createPetService, type PetService } from '../../core/index.ts'
import { createClientReader, internalsOf } from '../../core/internal.ts'
import {
  createNodeHandler,
  createPetServer,
  dedicatedServerOptions,
  hardenServer,
  type PetServer,
} from '../node-http/index.ts'
import type { ProcessContext } from './cli/process-context.ts'
import type { Configuration } from './configuration.ts'
import { connectionsWithin, countConnections, readDescriptorLimit } from './lifecycle/connections.ts'
import { watchEventLoop } from './lifecycle/event-loop.ts'
import type { Parts } from './parts.ts'
import { descriptionPages } from './routes/docs/pages.ts'
import { errorResponse, type Pages, type PagesOptions, withExtraRoutes } from './routes/extra-routes.ts'
import { healthPages } from './routes/health.ts'
import { createMetrics, metricsPages } from './routes/metrics/metrics.ts'
import { createServiceHooks } from './routes/service-hooks.ts'

/** The servers of the process, which do not listen yet. */
export interface Servers {
  readonly main: PetServer
  /** The server of `/metrics` alone; undefined where there is none. */
  readonly metrics: Server | undefined
  /** Closes them, and ends their timers. */
  close(): void
}

/** Composes the service of the parts, the pages beside it, and the servers. */
export function compose(configuration: Configuration, parts: Parts, { clock }: ProcessContext): Servers {
  const eventLoop = configuration.metrics ? watchEventLoop() : undefined
  const metrics = configuration.metrics
    ? // there is a server before there is a page
      createMetrics({ ...parts, eventLoop, connections: () => openConnections() })
    : undefined
  const { trustProxy } = configuration.service
  const { onPage, ...hooks } = createServiceHooks(parts, metrics, configuration.log)
  const service = createPetService({
    ...configuration.service,
    ...hooks,
    store: parts.storage.store,
    limiter: parts.limiter.limiter,
    keys: parts.keys.store,
    clock,
  })
  const pagesOfMetrics = metrics && metricsPages(metrics)
  const hasMetricsServer = configuration.metrics && configuration.metrics !== 'main'
  const pages = {
    unlimited: healthPages(parts, () => main.isClosing), // there is a server before there is a request
    limited: {
      ...descriptionPages(service.basePath, trustProxy !== undefined, configuration.docs),
      ...(!hasMetricsServer && pagesOfMetrics),
    },
  }
  const pageOptions = {
    clock,
    readClient: createClientReader(trustProxy),
    requestId: hooks.requestId,
    ...(onPage && { onResponse: onPage }),
  }
  const maxConnections = connectionsWithin(readDescriptorLimit())
  const main = createPetServer(metrics?.watch(service) ?? service, {
    fallback: createNodeHandler(withExtraRoutes(service, pages, pageOptions)),
    maxConnections,
    // Those that wait at an inherited socket are for the next process.
    ...(configuration.listening.kind === 'inherited' && { acceptMs: 0 }),
    onConnectionRefused() {
      metrics?.recordRefusedConnection()
      const message = `a connection was closed: ${maxConnections} are open, the most`
      parts.throttled.warning('connections-refused', message)
    },
  })
  const openConnections = countConnections(main)
  const metricsServer =
    hasMetricsServer && pagesOfMetrics ? createMetricsServer(service, pagesOfMetrics, pageOptions) : undefined
  return {
    main,
    metrics: metricsServer,
    close() {
      eventLoop?.close()
      main.close().closeAllConnections()
      metricsServer?.close().closeAllConnections()
    },
  }
}

/** Creates a server for these pages alone, without a limit: only who watches the service reaches it. */
function createMetricsServer(service: PetService, pages: Pages, options: PagesOptions): Server {
  const nothing: PetService = {
    ...service,
    handle: (request) =>
      internalsOf(service).withRateLimit(errorResponse(new ApiError('route_not_found')), request),
  }
  const handler = createNodeHandler(withExtraRoutes(nothing, { unlimited: pages, limited: {} }, options))
  const server = createServer(dedicatedServerOptions, handler)
  hardenServer(server, service, { maxConnections: 16 }) // they take descriptors that those of clients leave
  return server
}

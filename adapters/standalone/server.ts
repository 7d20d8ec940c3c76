import type { Server } from 'node:http'
import { promisify } from 'node:util'
import { ApiError, createPetService, type PetService } from '../../core/index.ts'
import { createClientReader, readInternals } from '../../core/internal.ts'
import { http } from '../node-http/http.ts'
import {
  createNodeHandler,
  createPetServer,
  dedicatedServerOptions,
  hardenServer,
  type PetServer,
} from '../node-http/index.ts'
import type { ProcessContext } from './cli/process-context.ts'
import type { Configuration } from './configuration.ts'
import { openKeys } from './keys/keys.ts'
import type { OpenKeys } from './keys/open-keys.ts'
import { connectionsWithin, readDescriptorLimit } from './lifecycle/connections.ts'
import { watchEventLoop } from './lifecycle/event-loop.ts'
import { type OpenLimiter, openLimiter } from './limiter/limiter.ts'
import { createThrottledLog, type Log, type ThrottledLog } from './log/log.ts'
import { createDescriptionPages } from './routes/docs/pages.ts'
import { createErrorResponse, type Pages, type PagesOptions, withExtraRoutes } from './routes/extra-routes.ts'
import { createHealthPages } from './routes/health.ts'
import { createMetrics, createMetricsPages } from './routes/metrics/metrics.ts'
import { createServiceHooks } from './routes/service-hooks.ts'
import type { OpenStorage } from './storage/open-storage.ts'
import { openStorage } from './storage/storage.ts'

/** Limiter, storage and keys of a server. */
interface Backends {
  readonly throttled: ThrottledLog
  readonly limiter: OpenLimiter
  readonly storage: OpenStorage
  readonly keys: OpenKeys
  /** Closes all of them. */
  close(): Promise<void>
}

/** A server whose sockets do not listen yet. */
export interface OpenServer {
  readonly keys: OpenKeys
  readonly main: PetServer
  /** The separate server of `/metrics`; undefined without one. */
  readonly metrics: Server | undefined
  /** Closes the sockets and ends the timers. */
  closeSockets(): void
  /** Closes the storage and the limiter, after the last response. */
  closeBackends(): Promise<void>
}

/**
 * Opens the limiter, the storage and the keys, and creates the service, its pages and the HTTP servers. Rejects with
 * `StartError` or `UsageError`, and leaves nothing open then.
 */
export async function openServer(
  configuration: Configuration,
  context: ProcessContext,
  log: Log,
): Promise<OpenServer> {
  const backends = await openBackends(configuration, context, log)
  try {
    return createServers(configuration, backends, context, log)
  } catch (cause) {
    await backends.close()
    throw cause
  }
}

async function openBackends(
  { keys: keySource, limiter: limiterChoice, storage: choice, migrates }: Configuration,
  { clock }: ProcessContext,
  log: Log,
): Promise<Backends> {
  const throttled = createThrottledLog(log, clock)
  const limiter = await openLimiter(limiterChoice, clock, throttled)
  const opened: { close?(): unknown }[] = [limiter]
  const close = async () => {
    await Promise.all(opened.map((backend) => backend.close?.()))
  }
  try {
    const storage = await openStorage(choice, throttled, { migrates, clock })
    opened.push(storage)
    const keys = await openKeys(keySource, storage.keys, clock, log)
    opened.push(keys)
    return { throttled, limiter, storage, keys, close }
  } catch (cause) {
    await close()
    throw cause
  }
}

function createServers(
  configuration: Configuration,
  { throttled, limiter, storage, keys, close }: Backends,
  { clock }: ProcessContext,
  log: Log,
): OpenServer {
  const { docs, listening, metrics: metricsPlace } = configuration
  const eventLoop = metricsPlace ? watchEventLoop() : undefined
  const metrics = metricsPlace
    ? createMetrics({ log, limiter, storage, keys, eventLoop, connections: () => countConnections(main) })
    : undefined
  const { onPage, ...hooks } = createServiceHooks({ log, throttled }, metrics, configuration.log)
  // The description has the same options, so that it shows what the service does.
  const options = {
    ...configuration.service,
    ...hooks,
    store: storage.store,
    limiter: limiter.limiter,
    clock,
  }
  const service = createPetService({ ...options, keys: keys.store })
  const wanted = configuration.server.maxConnections
  const descriptors = readDescriptorLimit()
  const maxConnections = connectionsWithin(descriptors, wanted)
  if (wanted !== undefined && maxConnections < wanted)
    log.warning(
      'open-files',
      `${wanted} connections are wanted, but a limit of ${descriptors} open files allows ${maxConnections}: raise it with ulimit -n, or LimitNOFILE of systemd`,
    )

  const pagesOfMetrics = metrics && createMetricsPages(metrics)
  const hasMetricsServer = metricsPlace && metricsPlace !== 'main'
  const pages = {
    unlimited: createHealthPages({ storage, throttled }, () => main.isClosing),
    limited: { ...createDescriptionPages(options, docs), ...(!hasMetricsServer && pagesOfMetrics) },
  }
  const pageOptions = {
    clock,
    readClient: createClientReader(options.trustProxy),
    requestId: hooks.requestId,
    onError: hooks.onError,
    ...(onPage && { onResponse: onPage }),
  }
  const main = createPetServer(metrics?.watch(service) ?? service, {
    ...configuration.server,
    fallback: createNodeHandler(withExtraRoutes(service, pages, pageOptions)),
    maxConnections,
    // Connections that wait at an inherited socket are for the next process.
    ...(listening.kind === 'inherited' && { acceptMs: 0 }),
    onConnectionRefused() {
      metrics?.recordRefusedConnection()
      const message = `a connection was closed: ${maxConnections} are open, the most`
      throttled.warning('connections-refused', message)
    },
  })
  const metricsServer =
    hasMetricsServer && pagesOfMetrics ? createMetricsServer(service, pagesOfMetrics, pageOptions) : undefined
  return {
    keys,
    main,
    metrics: metricsServer,
    closeSockets() {
      eventLoop?.close()
      main.close().closeAllConnections()
      metricsServer?.close().closeAllConnections()
    },
    closeBackends: close,
  }
}

function countConnections(server: Server): Promise<number> {
  return promisify(server.getConnections.bind(server))()
}

/** Creates a server only for the metrics, without a rate limit: only operators can reach it. */
function createMetricsServer(service: PetService, pages: Pages, options: PagesOptions): Server {
  const nothing: PetService = {
    ...service,
    handle: async (request) =>
      readInternals(service).withRateLimit(createErrorResponse(new ApiError('route_not_found')), request),
  }
  const handler = createNodeHandler(withExtraRoutes(nothing, { unlimited: pages, limited: {} }, options))
  const server = http.createServer(dedicatedServerOptions, handler)
  hardenServer(server, service, { maxConnections: 16 }) // they take descriptors that those of clients leave
  return server
}

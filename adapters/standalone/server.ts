import type { Server } from 'node:http'
import { promisify } from 'node:util'
import { ApiError, createPetService, type PetService } from '../../core/index.ts'
import { createClientAddressReader, readInternals } from '../../core/internal.ts'
import { http } from '../node-http/http.ts'
import {
  createNodeHandler,
  createPetServer,
  dedicatedServerOptions,
  hardenServer,
  type PetServer,
} from '../node-http/index.ts'
import { type OpenLimiter, openLimiter } from './backends/open-limiter.ts'
import { chooseDefaultStore, type OpenStore, openStore, type StoreChoice } from './backends/open-store.ts'
import type { ProcessContext } from './cli/process-context.ts'
import type { Configuration } from './configuration.ts'
import type { OpenKeys } from './keys/open-keys.ts'
import { openKeys } from './keys/open-keys.ts'
import { computeMaxConnections, readDescriptorLimit } from './lifecycle/connections.ts'
import { watchEventLoop } from './lifecycle/event-loop.ts'
import { createEventLog, createThrottledLog, type Log, type ThrottledLog } from './log/log.ts'
import { createDescriptionPages } from './routes/docs/pages.ts'
import { addExtraRoutes, createErrorResponse, type PageOptions, type Pages } from './routes/extra-routes.ts'
import { createHealthPages } from './routes/health.ts'
import { createMetrics, createMetricsPages } from './routes/metrics/metrics.ts'
import { createServiceHooks } from './routes/service-hooks.ts'

/** A server's limiter, store and keys. */
interface Backends {
  readonly throttled: ThrottledLog
  readonly limiter: OpenLimiter
  readonly store: OpenStore
  readonly keys: OpenKeys
  /** Closes all backends. */
  close(): Promise<void>
}

/** A server whose sockets do not listen yet. */
export interface OpenServer {
  readonly keys: OpenKeys
  readonly main: PetServer
  /** Separate server for `/metrics`, if metrics have their own address. */
  readonly metrics: Server | undefined
  /** Closes the sockets and stops the timers. */
  closeSockets(): void
  /** Closes the store and the limiter after the last response. */
  closeBackends(): Promise<void>
}

/**
 * Opens the backends, and creates the service, its pages and the HTTP servers. If anything fails, nothing stays open.
 *
 * @throws {UsageError | StartError} If the server cannot start.
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
  { keys: keySource, limiter: limiterChoice, store: choice, migrates: migrate }: Configuration,
  { clock }: ProcessContext,
  log: Log,
): Promise<Backends> {
  const throttled = createThrottledLog(log, clock)
  const limiter = await openLimiter(limiterChoice, { clock, onEvent: createEventLog(log) })
  const opened: { close?(): unknown }[] = [limiter]
  const close = async () => {
    await Promise.all(opened.map((backend) => backend.close?.()))
  }
  try {
    const chosen = choice ?? chooseDefaultStore()
    if (!choice) logDefaultStore(chosen, log)
    const store = await openStore(chosen, { migrate, clock, onEvent: createEventLog(throttled) })
    opened.push(store)
    const keys = await openKeys(keySource, store.keys, clock, log)
    opened.push(keys)
    return { throttled, limiter, store, keys, close }
  } catch (cause) {
    await close()
    throw cause
  }
}

function logDefaultStore({ kind, value }: StoreChoice, log: Log): void {
  if (kind === 'data') log.info('storage', `animals are stored in ${value}, in this folder`)
  else log.warning('memory', 'animals are stored in memory only: ALL ARE LOST when the server stops')
}

function createServers(
  configuration: Configuration,
  { throttled, limiter, store, keys, close }: Backends,
  { clock }: ProcessContext,
  log: Log,
): OpenServer {
  const { docs, listening, metrics: metricsPlace } = configuration
  const eventLoop = metricsPlace ? watchEventLoop() : undefined
  const metrics = metricsPlace
    ? createMetrics({ log, limiter, store, keys, eventLoop, connections: () => countConnections(main) })
    : undefined
  const { onPageResponse, ...hooks } = createServiceHooks({ log, throttled }, metrics, configuration.log)
  // The OpenAPI document gets the same options, so that it describes this service.
  const options = {
    ...configuration.service,
    ...hooks,
    store: store.store,
    limiter: limiter.limiter,
    clock,
  }
  const service = createPetService({ ...options, keys: keys.store })
  const requestedConnections = configuration.server.maxConnections
  const descriptors = readDescriptorLimit()
  const maxConnections = computeMaxConnections(descriptors, requestedConnections)
  if (requestedConnections !== undefined && maxConnections < requestedConnections)
    log.warning(
      'open-files',
      `the open file limit (${descriptors}) allows ${maxConnections} connections instead of ${requestedConnections}: raise it with ulimit -n, or LimitNOFILE in systemd`,
    )

  const metricsPages = metrics && createMetricsPages(metrics)
  const hasMetricsServer = metricsPlace && metricsPlace !== 'main'
  const pages = {
    unlimited: createHealthPages({ store, throttled }, () => main.isClosing),
    limited: { ...createDescriptionPages(options, docs), ...(!hasMetricsServer && metricsPages) },
  }
  const pageOptions = {
    clock,
    readClientAddress: createClientAddressReader(options.trustProxy),
    requestId: hooks.requestId,
    onError: hooks.onError,
    ...(onPageResponse && { onResponse: onPageResponse }),
  }
  const main = createPetServer(
    addExtraRoutes(metrics?.countInFlight(service) ?? service, pages, pageOptions),
    {
      ...configuration.server,
      maxConnections,
      // Connections that wait in an inherited socket are left to the next process.
      ...(listening.kind === 'inherited' && { shutdown: { acceptMs: 0 } }),
      onConnectionDropped() {
        metrics?.recordRefusedConnection()
        const message = `a connection was closed: the maximum of ${maxConnections} connections is open`
        throttled.warning('connections-refused', message)
      },
    },
  )
  const metricsServer =
    hasMetricsServer && metricsPages ? createMetricsServer(service, metricsPages, pageOptions) : undefined
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

/** Creates a server only for metrics. It has no rate limit, because only operators can reach it. */
function createMetricsServer(service: PetService, pages: Pages, options: PageOptions): Server {
  const emptyService: PetService = {
    ...service,
    handle: async (request) =>
      readInternals(service).addRateLimitHeaders(
        createErrorResponse(new ApiError('route_not_found')),
        request,
      ),
  }
  const handler = createNodeHandler(addExtraRoutes(emptyService, { unlimited: pages, limited: {} }, options))
  const server = http.createServer(dedicatedServerOptions, handler)
  hardenServer(server, service, { maxConnections: 16 }) // from the descriptors that client connections leave
  return server
}

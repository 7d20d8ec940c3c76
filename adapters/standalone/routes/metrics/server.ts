import { createServer, type Server } from 'node:http'
import { ApiError, type PetService } from '../../../../core/index.ts'
import { internalsOf } from '../../../../core/internal.ts'
import { createNodeHandler, dedicatedServerOptions, hardenServer } from '../../../node-http.ts'
import { errorResponse, type Pages, type PagesOptions, withExtraRoutes } from '../extra-routes.ts'
import type { Metrics } from './metrics.ts'

/** Creates the page `/metrics`, in the text format of Prometheus. */
export function metricsPages({ render }: Metrics): Pages {
  const headers = ['Content-Type', 'text/plain; version=0.0.4; charset=utf-8', 'Cache-Control', 'no-store']
  return { '/metrics': async () => ({ status: 200, headers, body: await render() }) }
}

/** How many connections may be open: few, since they take descriptors that the connections of clients leave. */
const maxConnections = 16

/** Creates a server for these pages alone, without a limit: only who watches the service reaches it. */
export function createMetricsServer(service: PetService, pages: Pages, options: PagesOptions): Server {
  const nothing: PetService = {
    ...service,
    handle: (request) =>
      internalsOf(service).withRateLimit(errorResponse(new ApiError('route_not_found')), request),
  }
  const handler = createNodeHandler(withExtraRoutes(nothing, { unlimited: pages, limited: {} }, options))
  const server = createServer(dedicatedServerOptions, handler)
  hardenServer(server, service, { maxConnections })
  return server
}

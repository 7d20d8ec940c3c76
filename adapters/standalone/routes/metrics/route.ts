import type { Pages } from '../extra-routes.ts'
import type { Metrics } from './metrics.ts'
import { mediaType } from './prometheus.ts'

/** Creates the page `/metrics`, which Prometheus reads. */
export function metricsPages(metrics: Metrics): Pages {
  return {
    '/metrics': () => ({
      status: 200,
      headers: ['Content-Type', mediaType, 'Cache-Control', 'no-store'],
      body: metrics.render(),
    }),
  }
}

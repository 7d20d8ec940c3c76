import type { Pages } from '../extra-routes.ts'
import type { Metrics } from './metrics.ts'
import { mediaType } from './prometheus.ts'

/** Creates the page `/metrics`, which Prometheus reads. It calls `refresh`, which never rejects, for figures that take time. */
export function metricsPages(metrics: Metrics, refresh: () => Promise<unknown> = async () => {}): Pages {
  return {
    async '/metrics'() {
      await refresh()
      return {
        status: 200,
        headers: ['Content-Type', mediaType, 'Cache-Control', 'no-store'],
        body: metrics.render(),
      }
    },
  }
}

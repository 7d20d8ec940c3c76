// Metrics of the service by prom-client, with the names of the standalone server: its dashboard and its alerts apply.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ResponseEvent } from 'pet-adoption-service'
import { Counter, Histogram, register } from 'prom-client'

const requests = new Counter({
  name: 'pet_adoption_requests_total',
  help: 'Requests by operation and status of the response.',
  labelNames: ['operation', 'status'],
})
const durations = new Histogram({
  name: 'pet_adoption_request_duration_seconds',
  help: 'Time from the arrival of a request to its response, by outcome.',
  labelNames: ['operation', 'outcome'],
})

/** Counts a response by its operation. A path of no operation counts as `none`, so clients add no series. */
export function onResponse({ operation: id, status, durationMs }: ResponseEvent): void {
  const operation = id ?? 'none'
  const outcome = status < 400 ? 'success' : status < 500 ? 'rejected' : 'failed'
  requests.inc({ operation, status })
  durations.observe({ operation, outcome }, durationMs / 1000)
}

/** Serves the metrics. It needs no key: mount it on an address that clients do not reach. */
export async function serveMetrics(_req: IncomingMessage, res: ServerResponse): Promise<void> {
  res.setHeader('Content-Type', register.contentType)
  res.end(await register.metrics())
}

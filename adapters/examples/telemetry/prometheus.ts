// Metrics with the names that the standalone server uses, so that its dashboard and alerts can be used.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ResponseEvent } from 'pet-adoption-service'
import { Counter, Histogram, register } from 'prom-client'

const requests = new Counter({
  name: 'pet_adoption_requests_total',
  help: 'Requests by operation and response status.',
  labelNames: ['operation', 'status'],
})
const durations = new Histogram({
  name: 'pet_adoption_request_duration_seconds',
  help: 'Request duration in seconds, by operation and outcome.',
  labelNames: ['operation', 'outcome'],
})

/** Counts a response and records its duration. All unknown paths count as `none`, so clients cannot add time series. */
export function onResponse({ operation: id, status, durationMs }: ResponseEvent): void {
  const operation = id ?? 'none'
  const outcome = status < 400 ? 'success' : status < 500 ? 'client_error' : 'server_error'
  requests.inc({ operation, status })
  durations.observe({ operation, outcome }, durationMs / 1000)
}

/** Serves the metrics without an API key. Mount it where clients cannot reach it. */
export async function serveMetrics(_req: IncomingMessage, res: ServerResponse): Promise<void> {
  res.setHeader('Content-Type', register.contentType)
  res.end(await register.metrics())
}

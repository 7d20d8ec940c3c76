import { operations, type PetService, type ResponseEvent } from '../../../../core/index.ts'
import { findUnavailablePart } from '../../../../core/internal.ts'
import type { Pages } from '../extra-routes.ts'
import {
  type DurationHistogram,
  type Metric,
  metricTable,
  type ObservedParts,
  readMetricType,
  type Value,
} from './metric-table.ts'

/** Counts events for operators. No label contains a caller, a client address or a path. */
export interface Metrics {
  /** Returns a service that counts its requests in flight. */
  countInFlight(service: PetService): PetService
  /** Counts a response. Pass it to `onResponse`. */
  recordResponse(event: ResponseEvent): void
  /** Counts a failure. Pass it to `onError`. */
  recordFailure(cause: unknown): void
  /** Counts a connection that was closed because too many were open. */
  recordRefusedConnection(): void
  /** Renders all metrics in the Prometheus text format. */
  render(): Promise<string>
}

/** Operation ids, and `none` for a request that matches no operation. */
const operationIds: readonly string[] = [...operations.map(({ id }) => id), 'none']

/** Error codes with status 429. */
const rejections: readonly string[] = ['rate_limit_exceeded', 'api_key_banned']

/** Upper bucket bounds, in seconds. */
const bucketBounds = [
  0.0005,
  0.001,
  0.0025,
  0.005,
  0.01,
  0.025,
  0.05,
  0.1,
  0.25,
  0.5,
  1,
  2.5,
  5,
  10,
  Infinity,
]

/** Creates counters, and metrics that are read from the server's parts at every scrape. */
export function createMetrics(parts: ObservedParts): Metrics {
  const requests = createSeries(createPairs(operationIds, [500, 503]), () => 0)
  const durations = createSeries(
    createPairs(operationIds, ['success', 'client_error', 'server_error']),
    () => ({
      counts: bucketBounds.map(() => 0),
      sum: 0,
    }),
  )
  const rejectionSeries = createSeries(createPairs(rejections, ['key', 'address']), () => 0)
  const failures = createSeries(['store', 'limiter', 'other'], () => 0)
  const counts = { requests, durations, rejectionSeries, failures, refusedConnections: 0, inFlight: 0 }
  const endRequest = () => {
    counts.inFlight--
  }
  return {
    countInFlight: (service) => ({
      ...service,
      handle(request) {
        counts.inFlight++
        const response = service.handle(request)
        void response.then(endRequest, endRequest)
        return response
      },
    }),
    recordResponse({ operation = 'none', status, code, durationMs, caller }) {
      increment(requests, `${operation},${status}`)
      const outcome = status < 400 ? 'success' : status < 500 ? 'client_error' : 'server_error'
      const duration = durations.get(`${operation},${outcome}`)
      const seconds = durationMs / 1_000
      const bucket = bucketBounds.findIndex((bound) => seconds <= bound)
      if (duration) {
        duration.counts[bucket] = (duration.counts[bucket] ?? 0) + 1
        duration.sum += seconds
      }
      if (code && rejections.includes(code))
        increment(rejectionSeries, `${code},${caller === undefined ? 'address' : 'key'}`)
    },
    recordFailure: (cause) => increment(failures, findUnavailablePart(cause) ?? 'other'),
    recordRefusedConnection() {
      counts.refusedConnections++
    },
    async render() {
      const [keys, health, connections] = await Promise.all([
        parts.keys.figures(),
        parts.store.check(),
        parts.connections(),
      ])
      const figures = { ...parts, ...counts, keys, health, connections, limiter: parts.limiter.figures() }
      return Object.entries(metricTable)
        .map(([name, metric]) => formatMetric(name, metric, metric.read(figures)))
        .join('')
    },
  }
}

/** Creates `/metrics`, in the Prometheus text format. */
export function createMetricsPages({ render }: Metrics): Pages {
  const rawHeaders = ['Content-Type', 'text/plain; version=0.0.4; charset=utf-8', 'Cache-Control', 'no-store']
  return { '/metrics': async () => ({ status: 200, rawHeaders, body: await render() }) }
}

/** Creates a metric's values. Known label values start at 0, so that the first event counts as an increase. */
function createSeries<T>(known: readonly string[], create: () => T): Map<string, T> {
  return new Map(known.map((values) => [values, create()]))
}

function createPairs(first: readonly string[], second: readonly (string | number)[]): readonly string[] {
  return first.flatMap((a) => second.map((b) => `${a},${b}`))
}

function increment(series: Map<string, number>, values: string): void {
  series.set(values, (series.get(values) ?? 0) + 1)
}

function formatMetric(name: string, { help, labels = [] }: Metric, value: Value | undefined): string {
  if (value === undefined) return ''
  const series = typeof value === 'object' ? [...value] : [['', Number(value)] as const]
  const lines = series.flatMap(([values, sample]) => {
    const texts = values.split(',')
    const pairs = labels.map((label, i) => `${label}="${texts[i]}"`)
    return typeof sample === 'number'
      ? formatSample(name, pairs, sample)
      : formatHistogram(name, pairs, sample)
  })
  return `# HELP ${name} ${help}\n# TYPE ${name} ${readMetricType(name)}\n${lines.join('')}`
}

/** Formats a histogram with cumulative buckets. */
function formatHistogram(
  name: string,
  pairs: readonly string[],
  { counts, sum }: DurationHistogram,
): string[] {
  let total = 0
  const buckets = bucketBounds.map((bound, i) => {
    total += counts[i] ?? 0
    return formatSample(`${name}_bucket`, [...pairs, `le="${bound === Infinity ? '+Inf' : bound}"`], total)
  })
  return [...buckets, formatSample(`${name}_sum`, pairs, sum), formatSample(`${name}_count`, pairs, total)]
}

function formatSample(name: string, pairs: readonly string[], value: number): string {
  return `${name}${pairs.length > 0 ? `{${pairs}}` : ''} ${value}\n`
}

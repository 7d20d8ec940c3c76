import { operations, type PetService, type ResponseEvent } from '../../../../core/index.ts'
import { findUnavailablePart } from '../../../../core/internal.ts'
import type { Pages } from '../extra-routes.ts'
import {
  type Durations,
  type Metric,
  metricTable,
  type ObservedParts,
  readMetricType,
  type Value,
} from './metric-table.ts'

/** Counts events for operators. No label contains a caller, an address or a path. */
export interface Metrics {
  /** Returns the service, with its requests in flight counted. A request with an immediate response costs nothing. */
  watch(service: PetService): PetService
  /** Counts a response. Pass it to `onResponse`. */
  recordResponse(event: ResponseEvent): void
  /** Counts a failure. Pass it to `onError`. */
  recordFailure(cause: unknown): void
  /** Counts a connection that was closed immediately, since the most connections were open. */
  recordRefusedConnection(): void
  /** Resolves with all metrics in the text format of Prometheus. */
  render(): Promise<string>
}

/** The operations, and the label of a response whose request led to none. */
const operationIds: readonly string[] = [...operations.map(({ id }) => id), 'none']

/** The codes of the Errors of a 429. */
const rejections: readonly string[] = ['rate_limit_exceeded', 'api_key_banned']

/** The upper bounds of the buckets, in seconds: from half a millisecond to ten seconds. */
const bounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, Infinity]

/** Creates the metrics: counters, and values that are read from the parts at each rendering. */
export function createMetrics(parts: ObservedParts): Metrics {
  const requests = seriesOf(createPairs(operationIds, [500, 503]), () => 0)
  const durations = seriesOf(createPairs(operationIds, ['success', 'rejected', 'failed']), () => ({
    counts: bounds.map(() => 0),
    sum: 0,
  }))
  const rejectionSeries = seriesOf(createPairs(rejections, ['key', 'address']), () => 0)
  const failures = seriesOf(['store', 'limiter', 'other'], () => 0)
  const counts = { requests, durations, rejectionSeries, failures, refusedConnections: 0, inFlight: 0 }
  const endRequest = () => {
    counts.inFlight--
  }
  return {
    watch: (service) => ({
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
      const outcome = status < 400 ? 'success' : status < 500 ? 'rejected' : 'failed'
      const duration = durations.get(`${operation},${outcome}`)
      const seconds = durationMs / 1_000
      const bucket = bounds.findIndex((bound) => seconds <= bound)
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
        parts.storage.check(),
        parts.connections(),
      ])
      const figures = { ...parts, ...counts, keys, health, connections, limiter: parts.limiter.figures() }
      return Object.entries(metricTable)
        .map(([name, metric]) => formatMetric(name, metric, metric.read(figures)))
        .join('')
    },
  }
}

/** Creates the page `/metrics`, in the text format of Prometheus. */
export function createMetricsPages({ render }: Metrics): Pages {
  const rawHeaders = ['Content-Type', 'text/plain; version=0.0.4; charset=utf-8', 'Cache-Control', 'no-store']
  return { '/metrics': async () => ({ status: 200, rawHeaders, body: await render() }) }
}

/** Returns the series of the labels that are known, so that an alert sees the first event as an increase. */
function seriesOf<T>(known: readonly string[], create: () => T): Map<string, T> {
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
    return typeof sample === 'number' ? line(name, pairs, sample) : histogramLines(name, pairs, sample)
  })
  return `# HELP ${name} ${help}\n# TYPE ${name} ${readMetricType(name)}\n${lines.join('')}`
}

/** Returns the lines of a series of a histogram, whose buckets include those before them. */
function histogramLines(name: string, pairs: readonly string[], { counts, sum }: Durations): string[] {
  let total = 0
  const buckets = bounds.map((bound, i) => {
    total += counts[i] ?? 0
    return line(`${name}_bucket`, [...pairs, `le="${bound === Infinity ? '+Inf' : bound}"`], total)
  })
  return [...buckets, line(`${name}_sum`, pairs, sum), line(`${name}_count`, pairs, total)]
}

function line(name: string, pairs: readonly string[], value: number): string {
  return `${name}${pairs.length > 0 ? `{${pairs}}` : ''} ${value}\n`
}

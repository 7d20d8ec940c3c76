import { operations, type PetService, type ResponseEvent } from '../../../../core/index.ts'
import { unavailablePart } from '../../../../core/internal.ts'
import { type Labels, metricTable, type Parts, typeOf, type Value } from './metric-table.ts'

/** The media type of the text format of Prometheus. */
export const mediaType = 'text/plain; version=0.0.4; charset=utf-8'

/** Counts what an operator watches. No label contains a caller, an address or a path. */
export interface Metrics {
  /** Returns the service, with its requests in flight counted. One that gets its response at once costs nothing. */
  watch(service: PetService): PetService
  /** For `onResponse`. */
  recordResponse(event: ResponseEvent): void
  /** For `onError`. */
  recordFailure(cause: unknown): void
  /** Counts a connection that was closed at once, since the most connections were open. */
  recordRefusedConnection(): void
  /** Returns all metrics in the text format of Prometheus. */
  render(): string
}

/** The label of a response whose request led to no operation. */
const noOperation = 'none'

/** The codes of the Errors of a 429. */
const rejections: readonly string[] = ['rate_limit_exceeded', 'api_key_banned']

/** The statuses of failures, whose series exist before their first: an alert sees the first as an increase. */
const failureStatuses = [500, 503]

const outcomes = ['success', 'rejected', 'failed'] as const

/** The upper bounds of the buckets of the histogram, in seconds: from half a millisecond to ten seconds. */
const bounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const histogram = 'pet_adoption_request_duration_seconds'

/** Creates the metrics: those that are recorded, and those that are read from the parts when they are rendered. */
export function createMetrics(parts: Parts): Metrics {
  const operationIds = [...operations.map(({ id }) => id), noOperation]
  const requests = createSeries(pairsOf(operationIds, failureStatuses), () => ({ count: 0 }))
  const durations = createSeries(pairsOf(operationIds, outcomes), () => ({
    buckets: [...bounds, Number.POSITIVE_INFINITY].map((end) => ({ end, count: 0 })),
    sum: 0,
  }))
  const rejected = createSeries(pairsOf(rejections, ['key', 'address']), () => ({ count: 0 }))
  const failures = createSeries([['store'], ['limiter'], ['other']], () => ({ count: 0 }))
  let refusedConnections = 0
  let inFlight = 0
  const samplesOf = (series: Series<{ count: number }>): Value =>
    series.all().map(([labels, { count }]) => [count, ...labels])
  const recorded: Readonly<Partial<Record<string, () => Value>>> = {
    pet_adoption_requests_total: () => samplesOf(requests),
    pet_adoption_refusals_total: () => samplesOf(rejected),
    pet_adoption_failures_total: () => samplesOf(failures),
    pet_adoption_connections_refused_total: () => refusedConnections,
    pet_adoption_requests_in_flight: () => inFlight,
  }

  function renderHistogram(names: readonly string[]): string {
    return durations
      .all()
      .map(([labels, { buckets, sum }]) => {
        const pairs = pairsText(names, labels)
        let total = 0
        const lines = buckets.map(({ end, count }) => {
          total += count
          return line(`${histogram}_bucket`, `${pairs},le="${valueText(end)}"`, total)
        })
        return `${lines.join('')}${line(`${histogram}_sum`, pairs, sum)}${line(`${histogram}_count`, pairs, total)}`
      })
      .join('')
  }

  const endRequest = () => {
    inFlight--
  }
  return {
    watch: (service) => ({
      ...service,
      handle(request) {
        const response = service.handle(request)
        if (response instanceof Promise) {
          inFlight++
          void response.then(endRequest, endRequest)
        }
        return response
      },
    }),
    recordResponse({ operation = noOperation, status, code, durationMs, caller }) {
      requests.of(operation, status).count++
      const duration = durations.of(operation, outcomeOf(status))
      const seconds = durationMs / 1000
      duration.sum += seconds
      for (const bucket of duration.buckets)
        if (seconds <= bucket.end) {
          bucket.count++
          break
        }
      if (code && rejections.includes(code))
        rejected.of(code, caller === undefined ? 'address' : 'key').count++
    },
    recordFailure(cause) {
      failures.of(unavailablePart(cause) ?? 'other').count++
    },
    recordRefusedConnection() {
      refusedConnections++
    },
    render: () =>
      Object.entries(metricTable)
        .map(([name, { help, labels: names = [], read }]) => {
          const value = recorded[name]?.() ?? read?.(parts)
          if (value === undefined && name !== histogram) return ''
          const samples = typeof value === 'number' ? [[value] as const] : (value ?? [])
          const lines = samples.map(([n, ...labels]) => line(name, pairsText(names, labels), n))
          const text = name === histogram ? renderHistogram(names) : lines.join('')
          return `# HELP ${name} ${help}\n# TYPE ${name} ${typeOf(name)}\n${text}`
        })
        .join(''),
  }
}

/** What is recorded of the events that have the same labels. */
interface Series<T> {
  /** Returns the series with these labels, which is created when it is first needed. */
  of(...labels: Labels): T
  all(): readonly (readonly [labels: Labels, series: T])[]
}

/** Creates the series of the `known` labels, so that the first event shows as an increase. */
function createSeries<T>(known: readonly Labels[], create: () => T): Series<T> {
  const byLabels = new Map<string, readonly [Labels, T]>()

  function of(...labels: Labels): T {
    const key = labels.join()
    const found = byLabels.get(key) ?? ([labels, create()] as const)
    byLabels.set(key, found)
    return found[1]
  }

  for (const labels of known) of(...labels)
  return { of, all: () => [...byLabels.values()] }
}

function outcomeOf(status: number): (typeof outcomes)[number] {
  if (status < 400) return 'success'
  return status < 500 ? 'rejected' : 'failed'
}

function pairsOf<A, B>(first: readonly A[], second: readonly B[]): readonly (readonly [A, B])[] {
  return first.flatMap((a) => second.map((b) => [a, b] as const))
}

function line(name: string, pairs: string, value: number): string {
  return `${name}${pairs === '' ? '' : `{${pairs}}`} ${valueText(value)}\n`
}

function valueText(value: number): string {
  return value === Number.POSITIVE_INFINITY ? '+Inf' : String(value)
}

function pairsText(names: readonly string[], labels: Labels): string {
  return names.map((name, i) => `${name}="${labels[i]}"`).join(',')
}

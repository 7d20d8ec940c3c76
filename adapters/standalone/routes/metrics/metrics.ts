import { operations, type ResponseEvent } from '../../../../core/index.ts'
import { unavailablePart } from '../../../../core/internal.ts'
import { type MetricName, metricNames } from './metric-table.ts'
import {
  type CounterSeries,
  createCounter,
  createHistogram,
  type Family,
  type HistogramSeries,
  type Reading,
  renderReading,
} from './prometheus.ts'

/** Counts what an operator watches. No label contains a caller, an address or a path. */
export interface Metrics {
  /** For `onResponse`. */
  recordResponse(event: ResponseEvent): void
  /** For `onError`. */
  recordFailure(cause: unknown): void
  /** Counts a connection that was closed at once, since the most connections were open. */
  recordRefusedConnection(): void
  /** Returns all metrics in the text format of Prometheus. */
  render(): string
}

/** The metrics that are read when they are rendered, by name. One that is not among them is absent. */
export type Readings = Readonly<Partial<Record<MetricName, Reading>>>

/** The label of a response whose request led to no operation. */
const noOperation = 'none'

/** The codes of the Errors of a 429. */
const rejections: readonly string[] = ['rate_limit_exceeded', 'api_key_banned']

/** The statuses of failures, whose series exist before their first: an alert sees the first as an increase. */
const failureStatuses = [500, 503]

const outcomes = ['success', 'rejected', 'failed'] as const

/** From half a millisecond to ten seconds. */
const durationBounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Creates the metrics: those that count events, and the given readings. */
export function createMetrics(readings: Readings): Metrics {
  const operationIds = [...operations.map(({ id }) => id), noOperation]
  const requests = createCounter('pet_adoption_requests_total', pairsOf(operationIds, failureStatuses))
  const durations = createHistogram(
    'pet_adoption_request_duration_seconds',
    pairsOf(operationIds, outcomes),
    durationBounds,
  )
  const rejected = createCounter('pet_adoption_refusals_total', pairsOf(rejections, ['key', 'address']))
  const failures = createCounter('pet_adoption_failures_total', [['store'], ['limiter'], ['other']])
  const refusedConnections = createCounter('pet_adoption_connections_refused_total', [[]])
  const recorded: Readonly<Partial<Record<MetricName, Family>>> = {
    pet_adoption_requests_total: requests,
    pet_adoption_request_duration_seconds: durations,
    pet_adoption_refusals_total: rejected,
    pet_adoption_failures_total: failures,
    pet_adoption_connections_refused_total: refusedConnections,
  }

  /** By operation and status: looking series up by their labels takes as long as half of the service's own work. */
  const recorders = new Map<string, Map<number, Recorder>>()

  function recorderOf(operation: string, status: number): Recorder {
    const byStatus = recorders.get(operation) ?? new Map<number, Recorder>()
    recorders.set(operation, byStatus)
    const recorder = byStatus.get(status) ?? {
      requests: requests.series(operation, status),
      durations: durations.series(operation, outcomeOf(status)),
    }
    byStatus.set(status, recorder)
    return recorder
  }

  return {
    recordResponse({ operation = noOperation, status, code, durationMs, caller }) {
      const recorder = recorders.get(operation)?.get(status) ?? recorderOf(operation, status)
      recorder.requests.add()
      recorder.durations.observe(durationMs / 1000)
      if (code && rejections.includes(code))
        rejected.series(code, caller === undefined ? 'address' : 'key').add()
    },
    recordFailure(cause) {
      failures.series(unavailablePart(cause) ?? 'other').add()
    },
    recordRefusedConnection() {
      refusedConnections.series().add()
    },
    render: () =>
      metricNames
        .map((name) => recorded[name]?.render() ?? renderReading(name, readings[name] ?? (() => undefined)))
        .join(''),
  }
}

/** The series of the responses with one operation and one status. */
interface Recorder {
  readonly requests: CounterSeries
  readonly durations: HistogramSeries
}

function outcomeOf(status: number): (typeof outcomes)[number] {
  if (status < 400) return 'success'
  return status < 500 ? 'rejected' : 'failed'
}

function pairsOf<A, B>(first: readonly A[], second: readonly B[]): readonly (readonly [A, B])[] {
  return first.flatMap((a) => second.map((b) => [a, b] as const))
}

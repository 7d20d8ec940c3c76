import { operations, type ResponseEvent } from '../../../../core/index.ts'
import { unavailablePart } from '../../../../core/internal.ts'
import { countOpenDescriptors, readDescriptorLimit } from '../../lifecycle/descriptors.ts'
import { createCounter, createHistogram, createReading, type Family } from './prometheus.ts'

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

export interface MetricsOptions {
  /** When the process began, in ms since the epoch. */
  readonly startedAt: number
  /** Returns how many lines the log has lost. */
  readonly logLinesLost: () => number
}

/** The label of a response whose request led to no operation. */
const noOperation = 'none'

/** The codes of the Errors of a 429. */
const rejections: readonly string[] = ['rate_limit_exceeded', 'api_key_banned']

/** From half a millisecond to ten seconds. */
const durationBounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

export function createMetrics({ startedAt, logLinesLost }: MetricsOptions): Metrics {
  const operationIds = [...operations.map(({ id }) => id), noOperation]
  const requests = createCounter(
    'pet_adoption_requests_total',
    'Requests by operation and status of the response.',
    ['operation', 'status'],
    [],
  )
  const durations = createHistogram(
    'pet_adoption_request_duration_seconds',
    'Time from the arrival of a request to its response.',
    ['operation'],
    operationIds.map((id) => [id]),
    durationBounds,
  )
  const rejected = createCounter(
    'pet_adoption_refusals_total',
    'Requests rejected with 429, by code of the Error and by whose limit it was: a key or an address without one.',
    ['code', 'by'],
    rejections.flatMap((code) => [
      [code, 'key'],
      [code, 'address'],
    ]),
  )
  const failures = createCounter(
    'pet_adoption_failures_total',
    'Failures behind responses of 500 and 503, by the part that failed.',
    ['part'],
    [['store'], ['limiter'], ['other']],
  )
  const refusedConnections = createCounter(
    'pet_adoption_connections_refused_total',
    'Connections closed at once, since the most connections were open.',
    [],
    [[]],
  )
  const linesLost = createReading(
    'pet_adoption_log_lines_lost_total',
    'Lines of the log that were not written: a full disk, a reader that was too slow or gone.',
    'counter',
    logLinesLost,
  )
  const families = [
    requests,
    durations,
    rejected,
    failures,
    refusedConnections,
    linesLost,
    ...processFamilies(startedAt),
  ]

  return {
    recordResponse({ operation = noOperation, status, code, durationMs, caller }) {
      requests.add(operation, status)
      durations.observe(durationMs / 1000, operation)
      if (code && rejections.includes(code)) rejected.add(code, caller === undefined ? 'address' : 'key')
    },
    recordFailure(cause) {
      failures.add(partOf(cause))
    },
    recordRefusedConnection() {
      refusedConnections.add()
    },
    render: () => families.map((family) => family.render()).join(''),
  }
}

function partOf(cause: unknown): string {
  return unavailablePart(cause) ?? 'other'
}

/** The names are those of Prometheus' client libraries. */
function processFamilies(startedAt: number): readonly Family[] {
  return [
    createReading(
      'process_start_time_seconds',
      'When the process began, in Unix seconds.',
      'gauge',
      () => startedAt / 1000,
    ),
    createReading('process_resident_memory_bytes', 'Memory that the process holds, in bytes.', 'gauge', () =>
      process.memoryUsage.rss(),
    ),
    createReading(
      'process_cpu_seconds_total',
      'Processor time of the process, in seconds.',
      'counter',
      () => {
        const { user, system } = process.cpuUsage()
        return (user + system) / 1e6
      },
    ),
    createReading('process_open_fds', 'Open file descriptors.', 'gauge', countOpenDescriptors),
    createReading(
      'process_max_fds',
      'The most file descriptors that may be open.',
      'gauge',
      readDescriptorLimit,
    ),
  ]
}

import { operations, type ResponseEvent } from '../../../../core/index.ts'
import { unavailablePart } from '../../../../core/internal.ts'
import { createCounter, createHistogram, createReading, type Family } from './prometheus.ts'

/** What the server counts, for an operator to watch. No label tells a caller, an address or a path. */
export interface Metrics {
  /** For `onResponse`. */
  answered(event: ResponseEvent): void
  /** For `onError`. */
  failed(cause: unknown): void
  /** Everything in Prometheus' text form. */
  render(): string
}

/** The label of an answer whose request led to no operation. */
const noOperation = 'none'

const refusals: readonly string[] = ['rate_limit_exceeded', 'api_key_banned']

/** From half a millisecond to ten seconds. */
const durationBounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** `startedAt` is when the process began, in ms since the epoch. */
export function createMetrics(startedAt: number): Metrics {
  const operationIds = [...operations.map(({ id }) => id), noOperation]
  const requests = createCounter(
    'pet_adoption_requests_total',
    'Requests by operation and status of the answer.',
    ['operation', 'status'],
    [],
  )
  const durations = createHistogram(
    'pet_adoption_request_duration_seconds',
    'Time from the arrival of a request to its answer.',
    ['operation'],
    operationIds.map((id) => [id]),
    durationBounds,
  )
  const refused = createCounter(
    'pet_adoption_refusals_total',
    'Requests refused with a 429, by code of the Error and by whose limit it was: a key or an address without one.',
    ['code', 'by'],
    refusals.flatMap((code) => [
      [code, 'key'],
      [code, 'address'],
    ]),
  )
  const failures = createCounter(
    'pet_adoption_failures_total',
    'Failures behind answers of 500 and 503, by the part that could not answer.',
    ['part'],
    [['store'], ['limiter'], ['other']],
  )
  const families = [requests, durations, refused, failures, ...processFamilies(startedAt)]

  return {
    answered({ operation = noOperation, status, code, durationMs, caller }) {
      requests.add(operation, status)
      durations.observe(durationMs / 1000, operation)
      if (code && refusals.includes(code)) refused.add(code, caller === undefined ? 'address' : 'key')
    },
    failed(cause) {
      failures.add(partOf(cause))
    },
    render: () => families.map((family) => family.render()).join(''),
  }
}

function partOf(cause: unknown): string {
  return unavailablePart(cause) ?? 'other'
}

/** The names are those that Prometheus' client libraries agree on. */
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
  ]
}

/** What all series of one name have in common. */
export interface Metric {
  readonly type: 'counter' | 'gauge' | 'histogram'
  /** The names of its labels. */
  readonly labels: readonly string[]
  readonly help: string
}

/** What a row has of a metric; one without labels has a single series. */
type Row = Pick<Metric, 'help'> & Partial<Pick<Metric, 'labels'>>

/** Every metric by name, in the order of `/metrics`. The dashboard, the alert rules and the manual are tested against it. */
const rows = {
  pet_adoption_requests_total: {
    labels: ['operation', 'status'],
    help: 'Requests by operation and status of the response.',
  },
  pet_adoption_request_duration_seconds: {
    labels: ['operation', 'outcome'],
    help: 'Time from the arrival of a request to its response, by outcome: success, rejected (4xx) or failed (5xx).',
  },
  pet_adoption_refusals_total: {
    labels: ['code', 'by'],
    help: 'Requests rejected with 429, by code of the Error and by whose limit it was: a key or an address without one.',
  },
  pet_adoption_failures_total: {
    labels: ['part'],
    help: 'Failures behind responses of 500 and 503, by the part that failed.',
  },
  pet_adoption_requests_in_flight: {
    help: 'Requests that wait for their body, the store or the rate limiter.',
  },
  pet_adoption_connections: { help: 'Open connections of clients.' },
  pet_adoption_connections_refused_total: {
    help: 'Connections closed at once, since the most connections were open.',
  },
  pet_adoption_log_lines_lost_total: {
    help: 'Lines of the log that were not written: a full disk, a reader that was too slow or gone.',
  },
  pet_adoption_keys: { help: 'Keys that are valid.' },
  pet_adoption_keys_fingerprint: { help: 'A number that is the same on servers with the same valid keys.' },
  pet_adoption_keys_loaded_timestamp_seconds: { help: 'When the keys were read, in Unix seconds.' },
  pet_adoption_next_key_expiry_timestamp_seconds: {
    help: 'When the next caller has no valid key any more, in Unix seconds; absent if none has an end.',
  },
  pet_adoption_limiter_mode: { labels: ['mode'], help: 'How requests are counted: 1 for the mode in force.' },
  pet_adoption_redis_up: { help: 'Whether Redis counts requests: 1 or 0; absent without Redis.' },
  pet_adoption_redis_problem: {
    labels: ['cause'],
    help: 'Why Redis does not count, or not all: 1 for the cause in force; absent without Redis.',
  },
  pet_adoption_store_up: { help: 'Whether animals and keys can be read: 1 or 0.' },
  pet_adoption_store_writable: { help: 'Whether animals can be stored: 1 or 0.' },
  pet_adoption_pool_connections: {
    labels: ['state'],
    help: 'Connections of the pool to the database: used, idle, or waiting, which counts statements without one; absent without a pool.',
  },
  pet_adoption_operation_removal_timestamp_seconds: {
    labels: ['operation'],
    help: 'When a deprecated operation is removed, in Unix seconds.',
  },
  pet_adoption_build_info: { labels: ['version'], help: 'Always 1, with the version.' },
  nodejs_eventloop_lag_seconds: { help: 'The longest delay of the event loop in the last 30 to 60 seconds.' },
  process_start_time_seconds: { help: 'When the process began, in Unix seconds.' },
  process_resident_memory_bytes: { help: 'Memory that the process holds, in bytes.' },
  process_cpu_seconds_total: { help: 'Processor time of the process, in seconds.' },
  process_open_fds: { help: 'Open file descriptors.' },
  process_max_fds: { help: 'The most file descriptors that may be open.' },
} as const

export type MetricName = keyof typeof rows

/** The names of all metrics, in the order of `/metrics`. */
export const metricNames: readonly MetricName[] = Object.keys(rows) as MetricName[] // the table has no other keys

/** Every metric by name. */
export const metricTable: Readonly<Record<MetricName, Metric>> = Object.fromEntries(
  metricNames.map((name) => [name, metricOf(name, rows[name])]),
) as Record<MetricName, Metric> // one for each name

function metricOf(name: MetricName, { labels = [], help }: Row): Metric {
  if (name === 'pet_adoption_request_duration_seconds') return { type: 'histogram', labels, help }
  return { type: name.endsWith('_total') ? 'counter' : 'gauge', labels, help }
}

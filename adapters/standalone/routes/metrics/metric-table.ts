import type { Metric } from './prometheus.ts'

/** The metrics that count events. */
export type EventMetricName =
  | 'pet_adoption_requests_total'
  | 'pet_adoption_request_duration_seconds'
  | 'pet_adoption_refusals_total'
  | 'pet_adoption_failures_total'
  | 'pet_adoption_connections_refused_total'

/** The metrics that are read when they are rendered. */
export type ReadingName =
  | 'pet_adoption_requests_in_flight'
  | 'pet_adoption_connections'
  | 'pet_adoption_log_lines_lost_total'
  | 'pet_adoption_keys'
  | 'pet_adoption_keys_fingerprint'
  | 'pet_adoption_keys_loaded_timestamp_seconds'
  | 'pet_adoption_next_key_expiry_timestamp_seconds'
  | 'pet_adoption_limiter_mode'
  | 'pet_adoption_redis_up'
  | 'pet_adoption_redis_problem'
  | 'pet_adoption_store_up'
  | 'pet_adoption_store_writable'
  | 'pet_adoption_pool_connections'
  | 'pet_adoption_operation_removal_timestamp_seconds'
  | 'pet_adoption_build_info'
  | 'nodejs_eventloop_lag_seconds'
  | 'process_start_time_seconds'
  | 'process_resident_memory_bytes'
  | 'process_cpu_seconds_total'
  | 'process_open_fds'
  | 'process_max_fds'

export type MetricName = EventMetricName | ReadingName

/** Every metric by name, in the order of `/metrics`. The dashboard, the alert rules and the manual are tested against it. */
export const metricTable: Readonly<Record<MetricName, Metric>> = {
  pet_adoption_requests_total: {
    type: 'counter',
    labels: ['operation', 'status'],
    help: 'Requests by operation and status of the response.',
  },
  pet_adoption_request_duration_seconds: {
    type: 'histogram',
    labels: ['operation', 'outcome'],
    help: 'Time from the arrival of a request to its response, by outcome: success, rejected (4xx) or failed (5xx).',
  },
  pet_adoption_refusals_total: {
    type: 'counter',
    labels: ['code', 'by'],
    help: 'Requests rejected with 429, by code of the Error and by whose limit it was: a key or an address without one.',
  },
  pet_adoption_failures_total: {
    type: 'counter',
    labels: ['part'],
    help: 'Failures behind responses of 500 and 503, by the part that failed.',
  },
  pet_adoption_requests_in_flight: {
    type: 'gauge',
    labels: [],
    help: 'Requests that wait for their body, the store or the rate limiter.',
  },
  pet_adoption_connections: { type: 'gauge', labels: [], help: 'Open connections of clients.' },
  pet_adoption_connections_refused_total: {
    type: 'counter',
    labels: [],
    help: 'Connections closed at once, since the most connections were open.',
  },
  pet_adoption_log_lines_lost_total: {
    type: 'counter',
    labels: [],
    help: 'Lines of the log that were not written: a full disk, a reader that was too slow or gone.',
  },
  pet_adoption_keys: { type: 'gauge', labels: [], help: 'Keys that are valid.' },
  pet_adoption_keys_fingerprint: {
    type: 'gauge',
    labels: [],
    help: 'A number that is the same on servers with the same valid keys.',
  },
  pet_adoption_keys_loaded_timestamp_seconds: {
    type: 'gauge',
    labels: [],
    help: 'When the keys were read, in Unix seconds.',
  },
  pet_adoption_next_key_expiry_timestamp_seconds: {
    type: 'gauge',
    labels: [],
    help: 'When the next caller has no valid key any more, in Unix seconds; absent if none has an end.',
  },
  pet_adoption_limiter_mode: {
    type: 'gauge',
    labels: ['mode'],
    help: 'How requests are counted: 1 for the mode in force.',
  },
  pet_adoption_redis_up: {
    type: 'gauge',
    labels: [],
    help: 'Whether Redis counts requests: 1 or 0; absent without Redis.',
  },
  pet_adoption_redis_problem: {
    type: 'gauge',
    labels: ['cause'],
    help: 'Why Redis does not count, or not all: 1 for the cause in force; absent without Redis.',
  },
  pet_adoption_store_up: {
    type: 'gauge',
    labels: [],
    help: 'Whether animals and keys can be read: 1 or 0.',
  },
  pet_adoption_store_writable: {
    type: 'gauge',
    labels: [],
    help: 'Whether animals can be stored: 1 or 0.',
  },
  pet_adoption_pool_connections: {
    type: 'gauge',
    labels: ['state'],
    help: 'Connections of the pool to the database: used, idle, or waiting, which counts statements without one; absent without a pool.',
  },
  pet_adoption_operation_removal_timestamp_seconds: {
    type: 'gauge',
    labels: ['operation'],
    help: 'When a deprecated operation is removed, in Unix seconds.',
  },
  pet_adoption_build_info: { type: 'gauge', labels: ['version'], help: 'Always 1, with the version.' },
  nodejs_eventloop_lag_seconds: {
    type: 'gauge',
    labels: [],
    help: 'The longest delay of the event loop in the last 30 to 60 seconds.',
  },
  process_start_time_seconds: {
    type: 'gauge',
    labels: [],
    help: 'When the process began, in Unix seconds.',
  },
  process_resident_memory_bytes: {
    type: 'gauge',
    labels: [],
    help: 'Memory that the process holds, in bytes.',
  },
  process_cpu_seconds_total: {
    type: 'counter',
    labels: [],
    help: 'Processor time of the process, in seconds.',
  },
  process_open_fds: { type: 'gauge', labels: [], help: 'Open file descriptors.' },
  process_max_fds: { type: 'gauge', labels: [], help: 'The most file descriptors that may be open.' },
}

/** The names of all metrics, in the order of `/metrics`. */
export const metricNames: readonly MetricName[] = Object.keys(metricTable) as MetricName[] // the table has no other keys

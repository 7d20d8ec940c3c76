import { operations } from '../../../../core/index.ts'
import { unavailabilities } from '../../../redis/index.ts'
import type { KeyFigures, OpenKeys } from '../../keys/open-keys.ts'
import { countOpenDescriptors, readDescriptorLimit } from '../../lifecycle/connections.ts'
import type { EventLoopDelay } from '../../lifecycle/event-loop.ts'
import type { LimiterFigures, OpenLimiter } from '../../limiter/limiter.ts'
import type { Log } from '../../log/log.ts'
import type { OpenStorage, StorageHealth } from '../../storage/open-storage.ts'
import { version } from '../../version.ts'

/** Durations of the requests of a series. */
export interface Durations {
  /** Number of requests in each bucket and in no smaller one. */
  readonly counts: number[]
  /** All of them together, in seconds. */
  sum: number
}

/** The series of a metric, by the values of its labels: in order, with commas between them, and from closed sets. */
export type Series<T = number> = ReadonlyMap<string, T>

/** The value of a metric without labels, where `true` is 1, or the series of one with labels. */
export type Value = number | boolean | Series | Series<Durations>

/** The parts of a server whose state the metrics show. */
export interface ObservedParts {
  readonly keys: Pick<OpenKeys, 'figures'>
  readonly limiter: Pick<OpenLimiter, 'figures'>
  readonly storage: Pick<OpenStorage, 'check' | 'connections'>
  readonly log: Pick<Log, 'linesLost'>
  /** Undefined if the runtime cannot measure its delays. */
  readonly eventLoop: Pick<EventLoopDelay, 'longest'> | undefined
  /** Resolves with the number of open connections of clients. */
  connections(): Promise<number>
}

/** The values of the metrics: the state of the parts, and the counters of requests. */
interface Figures extends Omit<ObservedParts, 'keys' | 'limiter' | 'connections'> {
  readonly keys: KeyFigures
  readonly limiter: LimiterFigures
  readonly health: StorageHealth
  readonly connections: number
  readonly requests: Series
  readonly durations: Series<Durations>
  readonly rejectionSeries: Series
  readonly failures: Series
  readonly refusedConnections: number
  readonly inFlight: number
}

/** A row of `/metrics`. */
export interface Metric {
  readonly help: string
  /** The names of its labels; none by default. */
  readonly labels?: readonly string[]
  /** Returns the value; undefined if the metric does not apply. */
  readonly read: (figures: Figures) => Value | undefined
}

/** Every metric by name, in the order of `/metrics`. The dashboard, the alerts and the manual are tested against it. */
export const metricTable: Readonly<Record<string, Metric>> = {
  pet_adoption_requests_total: {
    labels: ['operation', 'status'],
    help: 'Requests by operation and status of the response.',
    read: ({ requests }) => requests,
  },
  pet_adoption_request_duration_seconds: {
    labels: ['operation', 'outcome'],
    help: 'Time from the arrival of a request to its response, by outcome: success, rejected (4xx) or failed (5xx).',
    read: ({ durations }) => durations,
  },
  pet_adoption_rejections_total: {
    labels: ['code', 'by'],
    help: 'Requests rejected with 429, by code of the Error and by whose limit it was: a key or an address without one.',
    read: ({ rejectionSeries }) => rejectionSeries,
  },
  pet_adoption_failures_total: {
    labels: ['part'],
    help: 'Failures behind responses of 500 and 503, by the part that failed.',
    read: ({ failures }) => failures,
  },
  pet_adoption_requests_in_flight: {
    help: 'Requests that wait for their body, the store or the rate limiter.',
    read: ({ inFlight }) => inFlight,
  },
  pet_adoption_connections: {
    help: 'Open connections of clients.',
    read: ({ connections }) => connections,
  },
  pet_adoption_connections_refused_total: {
    help: 'Connections closed immediately, since the most connections were open.',
    read: ({ refusedConnections }) => refusedConnections,
  },
  pet_adoption_log_lines_lost_total: {
    help: 'Lines of the log that were not written: a full disk, a reader that was too slow or gone.',
    read: ({ log }) => log.linesLost,
  },
  pet_adoption_keys: { help: 'Keys that are valid.', read: ({ keys }) => keys.inForce },
  pet_adoption_keys_fingerprint: {
    help: 'A number that is the same on servers with the same valid keys.',
    read: ({ keys }) => keys.fingerprint,
  },
  pet_adoption_keys_loaded_timestamp_seconds: {
    help: 'When the keys were read, in Unix seconds.',
    read: ({ keys }) => keys.loadedAt / 1000,
  },
  pet_adoption_keys_last_reload_successful: {
    help: 'Whether the last reading of the keys file succeeded: 1 or 0; absent without a file.',
    read: ({ keys }) => keys.isFileValid,
  },
  pet_adoption_next_key_expiry_timestamp_seconds: {
    help: 'When the next caller has no valid key any more, in Unix seconds; absent if none has an end.',
    read: ({ keys }) => keys.nextExpiry && keys.nextExpiry / 1000,
  },
  pet_adoption_limiter_mode: {
    labels: ['mode'],
    help: 'How requests are counted: 1 for the mode in force.',
    read: ({ limiter }) =>
      new Map(['shared', ...unavailabilities].map((mode) => [mode, Number(mode === limiter.mode)])),
  },
  pet_adoption_redis_up: {
    help: 'Whether Redis counts requests: 1 or 0; absent without Redis.',
    read: ({ limiter }) => limiter.isRedisUp,
  },
  pet_adoption_store_up: {
    help: 'Whether animals and keys can be read: 1 or 0.',
    read: ({ health }) => health.readFailure === undefined,
  },
  pet_adoption_store_writable: {
    help: 'Whether animals can be stored: 1 or 0.',
    read: ({ health }) => (health.readFailure ?? health.writeFailure) === undefined,
  },
  pet_adoption_pool_connections: {
    labels: ['state'],
    help: 'Connections of the pool to the database: used, idle, or waiting, which counts statements without one; absent without a pool.',
    read: ({ storage }) => storage.connections && new Map(Object.entries(storage.connections())),
  },
  pet_adoption_operation_removal_timestamp_seconds: {
    labels: ['operation'],
    help: 'When a deprecated operation is removed, in Unix seconds.',
    read: () =>
      new Map(
        operations.flatMap(({ id, deprecated }) => (deprecated ? [[id, deprecated.removal / 1000]] : [])),
      ),
  },
  pet_adoption_build_info: {
    labels: ['version'],
    help: 'Always 1, with the version.',
    read: () => new Map([[version(), 1]]),
  },
  nodejs_eventloop_lag_seconds: {
    help: 'The longest delay of the event loop in the last 30 to 60 seconds.',
    read: ({ eventLoop }) => eventLoop?.longest(),
  },
  process_start_time_seconds: {
    help: 'When the process began, in Unix seconds.',
    read: () => performance.timeOrigin / 1000,
  },
  process_resident_memory_bytes: {
    help: 'Memory that the process holds, in bytes.',
    read: () => process.memoryUsage.rss(),
  },
  process_cpu_seconds_total: {
    help: 'Processor time of the process, in seconds.',
    read() {
      const { user, system } = process.cpuUsage()
      return (user + system) / 1e6
    },
  },
  process_open_fds: { help: 'Open file descriptors.', read: countOpenDescriptors },
  process_max_fds: { help: 'The most file descriptors that may be open.', read: readDescriptorLimit },
}

/** Returns the type of a metric, which its name shows. */
export function readMetricType(name: string): 'counter' | 'gauge' | 'histogram' {
  if (name.endsWith('_duration_seconds')) return 'histogram'
  return name.endsWith('_total') ? 'counter' : 'gauge'
}

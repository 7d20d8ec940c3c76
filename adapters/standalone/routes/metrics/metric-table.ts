import { operations } from '../../../../core/index.ts'
import type { Backend, Health } from '../../../backend/index.ts'
import { failureModes } from '../../../redis/failure-mode.ts'
import type { LimiterFigures, OpenLimiter } from '../../backends/open-limiter.ts'
import type { KeyFigures } from '../../keys/figures.ts'
import { countOpenDescriptors, readDescriptorLimit } from '../../lifecycle/connections.ts'
import type { EventLoopDelay } from '../../lifecycle/event-loop.ts'
import type { Log } from '../../log/log.ts'
import { readVersion } from '../../package-file.ts'

/** A duration histogram. */
export interface DurationHistogram {
  /** Durations per bucket. Buckets are not cumulative. */
  readonly counts: number[]
  /** Total duration, in seconds. */
  sum: number
}

/** A metric's values by label values, in order and joined by commas. Label values form a fixed set. */
export type Series<T = number> = ReadonlyMap<string, T>

/** A metric's value, or its values by label. `true` is written as 1. */
export type Value = number | boolean | Series | Series<DurationHistogram>

/** Server parts whose state is shown. */
export interface ObservedParts {
  readonly keys: { figures(): Promise<KeyFigures> }
  readonly limiter: Pick<OpenLimiter, 'figures'>
  readonly store: Pick<Backend, 'check' | 'metrics'>
  readonly log: Pick<Log, 'linesLost'>
  /** `undefined` if the runtime cannot measure delays. */
  readonly eventLoop: Pick<EventLoopDelay, 'readMaxSeconds'> | undefined
  /** Counts open client connections. */
  connections(): Promise<number>
}

/** Values that metrics are read from: the server's state, and request counters. */
interface Figures extends Omit<ObservedParts, 'keys' | 'limiter' | 'connections'> {
  readonly keys: KeyFigures
  readonly limiter: LimiterFigures
  readonly health: Health
  readonly connections: number
  readonly requests: Series
  readonly durations: Series<DurationHistogram>
  readonly rejectionSeries: Series
  readonly failures: Series
  readonly refusedConnections: number
  readonly inFlight: number
}

/** A metric on `/metrics`. */
export interface Metric {
  readonly help: string
  /** Label names, none by default. */
  readonly labels?: readonly string[]
  /** Returns the value, or `undefined` if the metric does not apply. */
  readonly read: (figures: Figures) => Value | undefined
}

/**
 * All metrics by name, in the order that `/metrics` shows. Tests compare the dashboard, the alerts and the manual with
 * this table.
 */
export const metricTable: Readonly<Record<string, Metric>> = {
  pet_adoption_requests_total: {
    labels: ['operation', 'status'],
    help: 'requests; `operation="none"` if a request matches no operation',
    read: ({ requests }) => requests,
  },
  pet_adoption_request_duration_seconds: {
    labels: ['operation', 'outcome'],
    help: 'time in the service by outcome: `success`, `client_error` (4xx) or `server_error` (5xx); buckets from 0.5 ms to 10 s',
    read: ({ durations }) => durations,
  },
  pet_adoption_rejections_total: {
    labels: ['code', 'by'],
    help: 'responses with 429: `rate_limit_exceeded`, or `api_key_banned` during a ban; `by` is `key` or `address`',
    read: ({ rejectionSeries }) => rejectionSeries,
  },
  pet_adoption_failures_total: {
    labels: ['part'],
    help: 'failures that caused a 500 or 503, in `store`, `limiter` or `other` (a bug)',
    read: ({ failures }) => failures,
  },
  pet_adoption_requests_in_flight: {
    help: 'requests waiting for their body, the store or the rate limiter',
    read: ({ inFlight }) => inFlight,
  },
  pet_adoption_connections: {
    help: 'open client connections',
    read: ({ connections }) => connections,
  },
  pet_adoption_connections_refused_total: {
    help: 'connections closed immediately because the maximum number was open',
    read: ({ refusedConnections }) => refusedConnections,
  },
  pet_adoption_log_lines_lost_total: {
    help: 'log lines that could not be written',
    read: ({ log }) => log.linesLost,
  },
  pet_adoption_keys: { help: 'valid keys', read: ({ keys }) => keys.inForce },
  pet_adoption_keys_fingerprint: {
    help: 'a number that is equal on servers with the same valid keys',
    read: ({ keys }) => keys.fingerprint,
  },
  pet_adoption_keys_loaded_timestamp_seconds: {
    help: 'Unix time when the keys were read; keys in a storage are counted at most once per minute',
    read: ({ keys }) => keys.loadedAt / 1000,
  },
  pet_adoption_keys_last_reload_successful: {
    help: '1 if the keys file was valid at the last reload, otherwise 0; absent without a keys file',
    read: ({ keys }) => keys.isFileValid,
  },
  pet_adoption_next_key_expiry_timestamp_seconds: {
    help: 'Unix time when the next caller loses its last valid key; absent if no key expires. A rotation does not change it',
    read: ({ keys }) => keys.nextExpiry && keys.nextExpiry / 1000,
  },
  pet_adoption_limiter_mode: {
    labels: ['mode'],
    help: '1 for the current mode: `shared`, or while Redis is unavailable `local`, `open` or `closed`; `local` without `--redis`',
    read: ({ limiter }) =>
      new Map(['shared', ...failureModes].map((mode) => [mode, Number(mode === limiter.mode)])),
  },
  pet_adoption_redis_up: {
    help: '1 if Redis is available, otherwise 0: from the first failed call until 1.5 s after the last one; absent without `--redis`',
    read: ({ limiter }) => limiter.isRedisUp,
  },
  pet_adoption_store_up: {
    help: '1 if animals and keys could be read at the last check, otherwise 0. Every scrape checks the store, at most once per second',
    read: ({ health }) => health.reads === undefined,
  },
  pet_adoption_store_writable: {
    help: '1 if animals could also be stored, otherwise 0',
    read: ({ health }) => (health.reads ?? health.writes) === undefined,
  },
  pet_adoption_pool_connections: {
    labels: ['state'],
    help: 'connections to PostgreSQL: `used` ones run a statement, or are being opened or closed; the other connections are `idle`. Absent without `--postgres`',
    read({ store }) {
      const { usedConnections: used, idleConnections: idle } = store.metrics()
      return used === undefined || idle === undefined ? undefined : new Map(Object.entries({ used, idle }))
    },
  },
  pet_adoption_pool_waiting_statements: {
    help: 'statements waiting for a connection to PostgreSQL. Several requests can share a statement. Absent without `--postgres`',
    read: ({ store }) => store.metrics().waitingStatements,
  },
  pet_adoption_operation_removal_timestamp_seconds: {
    labels: ['operation'],
    help: 'Unix time when a deprecated operation is removed',
    read: () =>
      new Map(
        operations.flatMap(({ id, deprecated }) => (deprecated ? [[id, deprecated.removal / 1000]] : [])),
      ),
  },
  pet_adoption_build_info: {
    labels: ['version'],
    help: 'always 1',
    read: () => new Map([[readVersion(), 1]]),
  },
  nodejs_eventloop_lag_max_seconds: {
    help: 'longest event loop delay in the last 30 to 60 seconds; delays up to 20 ms count as 0. Absent on Deno, which cannot measure it',
    read: ({ eventLoop }) => eventLoop?.readMaxSeconds(),
  },
  process_start_time_seconds: {
    help: 'Unix time when the process started',
    read: () => performance.timeOrigin / 1000,
  },
  process_resident_memory_bytes: {
    help: 'resident memory',
    read: () => process.memoryUsage.rss(),
  },
  process_cpu_seconds_total: {
    help: 'CPU time',
    read() {
      const { user, system } = process.cpuUsage()
      return (user + system) / 1e6
    },
  },
  process_open_fds: { help: 'open file descriptors; only on Linux', read: countOpenDescriptors },
  process_max_fds: {
    help: 'maximum number of open file descriptors; only on Linux',
    read: readDescriptorLimit,
  },
}

/** Returns a metric's type, which follows from its name. */
export function readMetricType(name: string): 'counter' | 'gauge' | 'histogram' {
  if (name.endsWith('_duration_seconds')) return 'histogram'
  return name.endsWith('_total') ? 'counter' : 'gauge'
}

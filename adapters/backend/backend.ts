import type { Health } from './health.ts'

/**
 * A store or rate limiter that uses an external server or a file, such as PostgreSQL or Redis. The service keeps
 * running while the backend is unavailable.
 */
export interface Backend {
  /** Checks whether reads and writes work. Calls within the same second share one check. Never rejects. */
  check(): Promise<Health>
  /** Returns the backend's current metrics by name, such as `idleConnections`. */
  metrics(): Readonly<Record<string, number>>
  /** Closes the backend's connections and files. Call `close` after the last response. Never rejects. */
  close(): Promise<void>
}

/** Something that an operator should know about a backend, such as an outage. */
export interface BackendEvent {
  /** Severity. */
  readonly level: 'info' | 'warning' | 'error'
  /** Machine-readable name, such as `store` or `redis`. */
  readonly event: string
  /** Description in one line, without passwords. */
  readonly message: string
  /** The error that caused the event. */
  readonly cause?: unknown
}

/** Options that every backend accepts. */
export interface BackendOptions {
  /**
   * Returns the current time in milliseconds since the epoch.
   *
   * @default `Date.now`
   */
  readonly clock?: () => number
  /** Called for each event. By default, events are ignored, because a library should not write to a log. */
  readonly onEvent?: (event: BackendEvent) => void
}

import type { PostgresResult, PostgresValue, Statement } from './client.ts'

/** The members of pg's `Client` that {@link openPostgres} uses. */
export interface PgClient {
  /** Host name, or a Unix socket's folder. */
  readonly host: string
  /** Port number. */
  readonly port: number
  /** Connects to PostgreSQL. */
  connect(): Promise<unknown>
  /** Runs a statement. */
  query(text: string, values?: PostgresValue[]): Promise<PostgresResult>
  /** Listens for connection errors. */
  on(event: 'error', listener: (error: Error) => void): unknown
  /** Closes the connection, immediately if a statement is in flight. */
  end(): Promise<void>
}

/** The members of pg's `Pool` that {@link openPostgres} uses. */
export interface PgPool {
  /** How many connections are open. */
  readonly totalCount: number
  /** How many connections are idle. */
  readonly idleCount: number
  /** How many statements wait for a connection. */
  readonly waitingCount: number
  /** Runs a statement on the next free connection. */
  query(statement: Statement): Promise<PostgresResult>
  /** Listens for lost idle connections, or for connections that return to the pool. */
  on(event: 'error' | 'release', listener: (error: Error, client: PgClient) => void): unknown
  /** Listens for connections that start to run a statement. */
  on(event: 'acquire', listener: (client: PgClient) => void): unknown
  /** Closes the idle connections now, and the others after their statements. */
  end(): Promise<void>
}

/** The package pg, version 8. */
export interface PostgresDriver {
  /** Creates a pool from pg's configuration. */
  readonly Pool: new (
    config: object,
  ) => PgPool
  /** Creates a client from pg's configuration. */
  readonly Client: new (
    config: object,
  ) => PgClient
}

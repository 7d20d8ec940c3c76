/** What `openRedis` needs from an `ioredis` client. */
export interface IoredisClient {
  /** Sends a command. */
  call(command: string, ...args: string[]): Promise<unknown>
  /** Listens for an event, such as `error`. */
  on(event: string, listener: (...values: unknown[]) => void): unknown
  /** Connects to the server. */
  connect(): Promise<unknown>
  /** Closes the connection after pending commands. */
  quit(): Promise<unknown>
  /** Closes the connection immediately. */
  disconnect(): void
}

/** What `openRedis` needs from an `ioredis` cluster client. */
export interface IoredisCluster extends IoredisClient {
  /** Asks a server for the cluster's current masters. */
  refreshSlotsCache(): void
}

/** The package `ioredis`, version 6, as `import * as ioredis from 'ioredis'` returns it. */
export interface RedisDriver {
  /** Client for one server, or for a master that Sentinels name. */
  readonly Redis: new (
    options: object,
  ) => IoredisClient
  /** Client for a cluster. */
  readonly Cluster: new (
    servers: object[],
    options: object,
  ) => IoredisCluster
}

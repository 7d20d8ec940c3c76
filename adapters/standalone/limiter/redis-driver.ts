/** The part of the driver redis that is used here. */
export interface RedisDriver {
  createClient(options: object): RedisDriverClient
}

export interface RedisDriverClient {
  connect(): Promise<unknown>
  destroy(): void
  sendCommand(args: readonly string[]): Promise<unknown>
  on(event: 'error', listener: (cause: Error) => void): unknown
  on(event: 'ready', listener: () => void): unknown
}

/** A Redis, a cluster, or the master that Sentinel names. */
export interface RedisConnection {
  /** Sends a command to the server that has its key. */
  send(args: readonly string[], key: string): Promise<unknown>
  /** Returns the same number for all keys of one server. */
  shardOf?(key: string): number
  /** Looks for the servers that count at present, and checks them. Resolves with why one of them does not count; never rejects. */
  refresh(): Promise<Error | undefined>
  close(): void
}

/** A way to a Redis or Valkey of version 5 or later. */
export interface RedisClient {
  /** Sends a command and answers its reply. `key` is the one that it is about, for a cluster to find its node by. */
  send(args: readonly string[], key: string): Promise<unknown>
}

/** A client of the package redis. */
export function nodeRedisClient(client: {
  sendCommand(args: readonly string[]): Promise<unknown>
}): RedisClient {
  return { send: (args) => client.sendCommand(args) }
}

/** A cluster of the package redis. */
export function nodeRedisCluster(cluster: {
  sendCommand(firstKey: string, isReadonly: boolean, args: string[]): Promise<unknown>
}): RedisClient {
  return { send: (args, key) => cluster.sendCommand(key, false, [...args]) }
}

/** A `Redis` or `Cluster` of ioredis. */
export function ioredisClient(client: {
  call(command: string, ...args: string[]): Promise<unknown>
}): RedisClient {
  return { send: ([command = '', ...args]) => client.call(command, ...args) }
}

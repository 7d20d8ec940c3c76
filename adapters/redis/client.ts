/** A connection to a Redis or Valkey of version 5 or later. */
export interface RedisClient {
  /**
   * Sends a command and returns the response of Redis.
   *
   * @param args - The command and its arguments.
   * @param key - The key that the command uses; a cluster finds its node by it.
   */
  send(args: readonly string[], key: string): Promise<unknown>
}

/** The members used of a client of the package redis. */
export interface NodeRedis {
  /** Sends a command. */
  sendCommand(args: readonly string[]): Promise<unknown>
  /** False once it is closed. */
  readonly isOpen?: boolean
}

/** The members used of a cluster of the package redis. */
export interface NodeRedisCluster {
  /** Sends a command to the node of a key. */
  sendCommand(firstKey: string, isReadonly: boolean, args: string[]): Promise<unknown>
  /** Distinguishes a cluster from a client. */
  readonly masters: unknown
  /** False once it is closed. */
  readonly isOpen?: boolean
}

/** The members used of a `Redis` or `Cluster` of the package ioredis. */
export interface Ioredis {
  /** Sends a command. */
  call(command: string, ...args: string[]): Promise<unknown>
  /** `end` once it is closed. */
  readonly status?: string
}

/**
 * Wraps a connected client or cluster of the package redis, or a `Redis` or `Cluster` of the package ioredis, which
 * connects by itself.
 *
 * @throws {TypeError} It is something else, or it is not open: call its `connect` first.
 * @example
 * import { createRedisLimiter, redisClient } from 'pet-adoption-service/redis'
 * import { createClient } from 'redis'
 *
 * const client = createClient({ url: 'redis://127.0.0.1:6379', disableOfflineQueue: true })
 * await client.connect()
 * const limiter = createRedisLimiter({ client: redisClient(client) })
 * @example
 * import { Redis } from 'ioredis'
 * import { createRedisLimiter, redisClient } from 'pet-adoption-service/redis'
 *
 * const limiter = createRedisLimiter({ client: redisClient(new Redis('redis://127.0.0.1:6379')) })
 */
export function redisClient(client: NodeRedis | NodeRedisCluster | Ioredis): RedisClient {
  const { call, sendCommand }: Partial<Ioredis & NodeRedis> = Object(client)
  if (typeof call !== 'function' && typeof sendCommand !== 'function')
    throw new TypeError('redisClient requires a client or cluster of the package redis, or one of ioredis')
  const isOpen = 'call' in client ? client.status !== 'end' : client.isOpen !== false
  if (!isOpen) throw new TypeError('redisClient requires an open client: call its connect() first')
  if ('call' in client) return { send: ([command = '', ...args]) => client.call(command, ...args) }
  if ('masters' in client) return { send: (args, key) => client.sendCommand(key, false, [...args]) }
  return { send: (args) => client.sendCommand(args) }
}

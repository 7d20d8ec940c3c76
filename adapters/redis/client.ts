/** A connection to Redis or Valkey, version 5 or later. */
export interface RedisClient {
  /**
   * Sends a command and resolves with its reply.
   *
   * @param args - Command name and arguments.
   * @param key - The key that the command uses. It selects the server in a cluster.
   */
  send(args: readonly string[], key: string): Promise<unknown>
}

/** What the limiter needs from a `redis` client. */
export interface NodeRedis {
  /** Sends a command. */
  sendCommand(args: readonly string[]): Promise<unknown>
  /** Whether the client is open. `false` before `connect()` and after the client was closed. */
  readonly isOpen?: boolean
}

/** What the limiter needs from a `redis` cluster client. */
export interface NodeRedisCluster {
  /** Sends a command to the server that has the key. */
  sendCommand(firstKey: string, isReadonly: boolean, args: string[]): Promise<unknown>
  /** Only cluster clients have this property, which identifies them. */
  readonly masters: unknown
  /** Whether the client is open. `false` before `connect()` and after the client was closed. */
  readonly isOpen?: boolean
}

/** What the limiter needs from a `redis` Sentinel client. */
export interface NodeRedisSentinel {
  /** Sends a command to the master, or to a replica if it only reads. */
  sendCommand(isReadonly: boolean, args: string[]): Promise<unknown>
  /** Only Sentinel clients have this property, which identifies them. */
  readonly getMasterNode: unknown
  /** Whether the client is open. `false` before `connect()` and after the client was closed. */
  readonly isOpen?: boolean
}

/** What the limiter needs from an `ioredis` client, either `Redis` or `Cluster`. */
export interface Ioredis {
  /** Sends a command. */
  call(command: string, ...args: string[]): Promise<unknown>
  /** Connection state, such as `ready`, or `end` after the client was closed. */
  readonly status?: string
}

/**
 * Adapts a client from the package `redis` or `ioredis` for {@link createRedisLimiter}. Cluster clients and Sentinel
 * clients are supported too. A `redis` client must be connected first. An `ioredis` client connects automatically.
 *
 * @throws {TypeError} If the client belongs to neither package, or is not open.
 *
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
export function redisClient(client: NodeRedis | NodeRedisCluster | NodeRedisSentinel | Ioredis): RedisClient {
  const { call, sendCommand }: Partial<Ioredis & NodeRedis> = Object(client)
  if (typeof call !== 'function' && typeof sendCommand !== 'function')
    throw new TypeError('redisClient expects a client of the package redis or ioredis')
  const isOpen = 'call' in client ? client.status !== 'end' : client.isOpen !== false
  if (!isOpen) throw new TypeError('redisClient expects an open client: call its connect() first')
  if ('call' in client) return { send: ([command = '', ...args]) => client.call(command, ...args) }
  if ('masters' in client) return { send: (args, key) => client.sendCommand(key, false, [...args]) }
  if ('getMasterNode' in client) return { send: (args) => client.sendCommand(false, [...args]) }
  return { send: (args) => client.sendCommand(args) }
}

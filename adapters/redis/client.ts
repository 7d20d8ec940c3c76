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

/** What is used of a client of the package redis. */
export interface NodeRedis {
  sendCommand(args: readonly string[]): Promise<unknown>
  readonly isOpen?: boolean
}

/** What is used of a cluster of the package redis. */
export interface NodeRedisCluster {
  sendCommand(firstKey: string, isReadonly: boolean, args: string[]): Promise<unknown>
  readonly masters: unknown
  readonly isOpen?: boolean
}

/** What is used of a `Redis` or `Cluster` of the package ioredis. */
export interface Ioredis {
  call(command: string, ...args: string[]): Promise<unknown>
  readonly status?: string
}

/**
 * Wraps a connected client of the package redis.
 *
 * @throws {TypeError} It is a client of another kind, or it is not open: call its `connect` first.
 * @example
 * import { createRedisLimiter, nodeRedisClient } from 'pet-adoption-service/redis'
 * import { createClient } from 'redis'
 *
 * const client = createClient({ url: 'redis://127.0.0.1:6379', disableOfflineQueue: true })
 * await client.connect()
 * const limiter = createRedisLimiter({ client: nodeRedisClient(client) })
 */
export function nodeRedisClient(client: NodeRedis): RedisClient {
  requireKind('nodeRedisClient', client)
  requireOpen('nodeRedisClient', client.isOpen !== false)
  return { send: (args) => client.sendCommand(args) }
}

/**
 * Wraps a connected cluster of the package redis.
 *
 * @throws {TypeError} It is a client of another kind, or it is not open: call its `connect` first.
 * @example
 * import { createRedisLimiter, nodeRedisCluster } from 'pet-adoption-service/redis'
 * import { createCluster } from 'redis'
 *
 * const cluster = createCluster({ rootNodes: [{ url: 'redis://127.0.0.1:7000' }] })
 * await cluster.connect()
 * const limiter = createRedisLimiter({ client: nodeRedisCluster(cluster) })
 */
export function nodeRedisCluster(cluster: NodeRedisCluster): RedisClient {
  requireKind('nodeRedisCluster', cluster)
  requireOpen('nodeRedisCluster', cluster.isOpen !== false)
  return { send: (args, key) => cluster.sendCommand(key, false, [...args]) }
}

/**
 * Wraps a `Redis` or `Cluster` of the package ioredis, which connects by itself.
 *
 * @throws {TypeError} It is a client of another kind, or its connection was ended.
 * @example
 * import { createRedisLimiter, ioredisClient } from 'pet-adoption-service/redis'
 * import { Redis } from 'ioredis'
 *
 * const limiter = createRedisLimiter({ client: ioredisClient(new Redis('redis://127.0.0.1:6379')) })
 */
export function ioredisClient(client: Ioredis): RedisClient {
  requireKind('ioredisClient', client)
  requireOpen('ioredisClient', client.status !== 'end')
  return { send: ([command = '', ...args]) => client.call(command, ...args) }
}

/** The wrappers, and the packages whose clients they wrap. */
const wrapped = {
  nodeRedisClient: 'a client of the package redis',
  nodeRedisCluster: 'a cluster of the package redis',
  ioredisClient: 'a Redis or Cluster of the package ioredis',
} as const

type Wrapper = keyof typeof wrapped

function requireKind(wrapper: Wrapper, client: unknown): void {
  const right = wrapperOf(client)
  if (right === wrapper) return
  const hint = right ? `; this is ${wrapped[right]}: use ${right}` : ''
  throw new TypeError(`${wrapper} requires ${wrapped[wrapper]}${hint}`)
}

function requireOpen(wrapper: Wrapper, isOpen: boolean): void {
  if (!isOpen) throw new TypeError(`${wrapper} requires an open client: call its connect() first`)
}

/** Finds out by its members of what kind a client is. */
function wrapperOf(client: unknown): Wrapper | undefined {
  if (typeof client !== 'object' || client === null) return undefined
  if ('call' in client && typeof client.call === 'function') return 'ioredisClient'
  if (!('sendCommand' in client) || typeof client.sendCommand !== 'function') return undefined
  return 'masters' in client ? 'nodeRedisCluster' : 'nodeRedisClient'
}

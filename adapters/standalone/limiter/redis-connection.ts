import { lookup } from 'node:dns/promises'
import { setTimeout as after } from 'node:timers/promises'
import type * as ioredis from 'ioredis'
import { redisClient } from '../../redis/index.ts'
import type { RedisAddress } from './redis-address.ts'

/** The package ioredis. This package depends only on its types. */
export type RedisDriver = typeof ioredis

/** A Redis, a cluster, or the master that Sentinels name. The driver finds the servers and reconnects. */
export interface RedisConnection {
  send(args: readonly string[], key: string): Promise<unknown>
  /** Waits for the first connection, at most two seconds. Rejects with the reason why Redis does not count. */
  checkStart(): Promise<void>
  /** Resolves to the `maxmemory-policy` of Redis if it evicts keys. */
  evictingPolicy(): Promise<string | undefined>
  close(): void
}

/** Interval of the lookups of the masters, in milliseconds. */
const refreshMs = 1_000
/** Timeout of an attempt to connect, and of a silent connection with pending commands, in milliseconds. */
const connectMs = 2_000
/** Timeout of a command, in milliseconds. Its request was decided without it long before. */
const commandMs = 500

/** The pause before an attempt to connect, in milliseconds. */
function pauseBefore(attempt: number): number {
  return Math.min(5 * 2 ** attempt, 500)
}

/** No command waits for a connection, and none is sent twice: it would charge a request that was decided without it. */
const options = {
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
  commandTimeout: commandMs,
  connectTimeout: connectMs,
  socketTimeout: connectMs,
  disconnectTimeout: 100,
  retryStrategy: pauseBefore,
  // The address may lead to another server since a failover.
  reconnectOnError: (error: Error) => error.message.startsWith('READONLY'),
  // The driver prints a warning for a user that may not run INFO.
  enableReadyCheck: false,
  disableClientInfo: true,
  sentinelCommandTimeout: refreshMs,
  sentinelRetryStrategy: pauseBefore,
  sentinelReconnectStrategy: () => refreshMs,
  failoverDetector: true,
  // Each Sentinel reports a failover, and the driver reconnects each time.
  sentinelMaxConnections: 1,
} satisfies ioredis.RedisOptions

function openClient({ Redis, Cluster }: RedisDriver, address: RedisAddress): ioredis.Redis | ioredis.Cluster {
  if (address.kind === 'single') return new Redis(address.url, options)
  if (address.kind === 'sentinel')
    return new Redis({ ...address.options, sentinels: address.hosts, ...options })
  return new Cluster(address.hosts, {
    enableOfflineQueue: false,
    enableReadyCheck: false,
    clusterRetryStrategy: pauseBefore,
    retryDelayOnFailover: 0,
    retryDelayOnClusterDown: 0,
    maxRedirections: 3,
    slotsRefreshTimeout: refreshMs,
    // A certificate is for a name, which the driver would replace by its address.
    dnsLookup: (name: string, found: (error: null, address: string) => void) => found(null, name),
    redisOptions: {
      ...options,
      // Otherwise the driver prints a warning each second if a server requires no password.
      ...(address.options.password && { username: 'default' }),
      ...address.options,
    },
  })
}

/**
 * Connects to Redis, and retries while it is down.
 *
 * @param resolve - Finds the address of a host name; `lookup` of `node:dns/promises` by default.
 */
export function connectRedis(
  driver: RedisDriver,
  address: RedisAddress,
  resolve: (host: string) => Promise<unknown> = lookup,
): RedisConnection {
  const client = openClient(driver, address)
  const { send: sendCommand } = redisClient(client)
  const { hosts } = address
  /** The last error of the connection, if the driver has reported one. */
  let problem: Error | undefined
  /** Host names with a pending DNS lookup. */
  const unresolved = new Set<string>()
  let isClosed = false
  // The driver's own timer goes on after `disconnect` if a lookup is pending then, and keeps the process alive.
  const refreshing =
    'refreshSlotsCache' in client
      ? setInterval(() => client.refreshSlotsCache(), refreshMs).unref()
      : undefined
  /** Fulfills with the first connection, or once no server could be reached. */
  const opened = new Promise<void>((resolve) => {
    for (const event of ['ready', 'error', 'close']) client.on(event, () => resolve())
  })
  /** Resolves when a cluster is connected. By itself, a server connects with its first command and rejects the next. */
  let connected: Promise<unknown> | undefined
  client.on('+node', (node: ioredis.Redis) => {
    connected = Promise.allSettled([connected, node.connect()]).then(() => {})
  })
  client.on('ready', () => {
    problem = undefined
  })
  // The driver does not say that it waits for the resolver.
  client.on('connecting', () => {
    for (const { host } of hosts) if (!unresolved.has(host)) void watchResolver(host)
  })
  for (const event of ['error', 'node error', 'sentinelError'])
    client.on(event, (error: Error) => {
      if (!isOnlyDisconnected(error)) problem = error
    })
  // ioredis stops reconnecting if a Sentinel reports a failover while it connects (FailoverDetector,
  // SentinelConnector).
  client.on('end', () => {
    if (!isClosed) client.connect().catch(() => {}) // there is an event for each error
  })

  async function watchResolver(host: string): Promise<void> {
    unresolved.add(host)
    await resolve(host).catch(() => {}) // the driver reports the same error
    unresolved.delete(host)
  }

  function explainAbsence(): Error {
    const [name] = unresolved
    if (problem && !(name && isTimeout(problem))) return problem
    if (name)
      return new Error(`the resolver does not respond for the host name ${name}: check its DNS server`)
    return new Error(`${hosts.map(({ host, port }) => `${host}:${port}`).join()} did not accept a connection`)
  }

  async function send(args: readonly string[], key: string): Promise<unknown> {
    try {
      return await sendCommand(args, key)
    } catch (error) {
      throw isOnlyDisconnected(error) ? explainAbsence() : error
    }
  }

  return {
    send,
    async checkStart() {
      await Promise.race([opened.then(() => connected), after(connectMs, undefined, { ref: false })])
      if (address.kind === 'single') {
        const { host, pathname } = new URL(address.url)
        // A user without the permission for INFO can still count.
        const misfit = explainMisfit(String(await send(['INFO'], '').catch(() => '')))
        if (misfit) throw new Error(`${host} ${misfit}`)
        // The driver continues with the database 0 if the number is too high.
        if (pathname.length > 1) await send(['SELECT', pathname.slice(1)], '')
      }
      const key = 'pet-adoption:key:start'
      await send(['EVAL', startScript, '1', key], key)
    },
    async evictingPolicy() {
      // A user without the permission for INFO can still count.
      const info = String(await send(['INFO', 'memory'], '').catch(() => ''))
      const policy = readField(info, 'maxmemory_policy')
      return policy === 'noeviction' ? undefined : policy
    },
    close() {
      isClosed = true
      clearInterval(refreshing)
      client.disconnect()
    },
  }
}

/** Calls the commands that the limiter's script calls. */
const startScript = `redis.call('TIME') redis.call('SET', KEYS[1], redis.call('GET', KEYS[1]) or '', 'PX', '1')
return redis.call('DEL', KEYS[1])`

/** Returns why the server that replied `info` to `INFO` cannot count as a single Redis. */
function explainMisfit(info: string): string | undefined {
  const mode = readField(info, 'redis_mode')
  if (mode === 'cluster') return 'is in cluster mode'
  if (mode === 'sentinel') return 'is a Sentinel'
  if (readField(info, 'role') !== 'slave') return undefined
  return `is a replica of ${readField(info, 'master_host')}:${readField(info, 'master_port')}, which cannot count`
}

/** Reads a field of a reply to `INFO`. */
function readField(info: string, name: string): string | undefined {
  return new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1]
}

function isTimeout(error: Error): boolean {
  return error.message.includes('ETIMEDOUT')
}

/** Returns true for an error of the driver that only says that the connection is missing. */
function isOnlyDisconnected(error: unknown): boolean {
  return /^Error: (?:Stream isn't writeable|Cluster isn't ready|Connection is closed|All sentinels)|max retries per request|Failed to refresh slots/.test(
    String(error),
  )
}

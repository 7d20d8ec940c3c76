import { setTimeout as after } from 'node:timers/promises'
import { type Ioredis, ioredisClient } from '../../redis.ts'
import type { HostPort, RedisAddress } from './redis-address.ts'

/** What is used of the package ioredis. */
export interface RedisDriver {
  readonly Redis: new (...options: readonly (string | object)[]) => DriverClient
  readonly Cluster: new (seeds: readonly HostPort[], options: object) => DriverClient
}

interface DriverClient extends Ioredis {
  disconnect(): void
  on(event: 'ready' | 'close', listener: () => void): unknown
  on(event: '+node', listener: (node: { connect(): Promise<void> }) => void): unknown
  on(event: 'error' | 'node error' | 'sentinelError', listener: (error: Error) => void): unknown
}

/** A Redis, a cluster, or the master that Sentinels name. The driver finds the servers, and connects again. */
export interface RedisConnection {
  send(args: readonly string[], key: string): Promise<unknown>
  /** Waits for the first connection, two seconds at most. Resolves with why Redis does not count. Never rejects. */
  checkStart(): Promise<Error | undefined>
  /** Resolves, within half a second, with why a server does not respond; undefined where all do. Never rejects. */
  check(): Promise<Error | undefined>
  close(): void
}

/** How often the masters are looked for, in milliseconds. */
const refreshMs = 1_000
/** How long one attempt to connect may take, and a connection with pending commands be silent, in milliseconds. */
const connectMs = 2_000
/** How long a command may take, in milliseconds. Its request was decided without it long before. */
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
}

function openClient({ Redis, Cluster }: RedisDriver, address: RedisAddress): DriverClient {
  if (address.kind === 'single') return new Redis(address.url, options)
  const tls = address.tls && { tls: {} }
  if (address.kind === 'cluster') {
    // Else the driver prints a warning each second where a server requires no password.
    const user = address.credentials.password && { username: 'default' }
    return new Cluster(address.seeds, {
      enableOfflineQueue: false,
      enableReadyCheck: false,
      clusterRetryStrategy: pauseBefore,
      retryDelayOnFailover: 0,
      retryDelayOnClusterDown: 0,
      maxRedirections: 3,
      slotsRefreshInterval: refreshMs,
      slotsRefreshTimeout: refreshMs,
      // A certificate is for a name, which the driver would replace by its address.
      dnsLookup: (name: string, found: (error: null, address: string) => void) => found(null, name),
      redisOptions: { ...options, ...user, ...address.credentials, ...tls },
    })
  }
  const { username, password } = address.sentinelCredentials
  return new Redis({
    ...options,
    ...address.credentials,
    ...(tls && { ...tls, enableTLSForSentinelMode: true, sentinelTLS: {} }),
    sentinels: address.sentinels,
    name: address.master,
    ...(username && { sentinelUsername: username }),
    ...(password && { sentinelPassword: password }),
    sentinelCommandTimeout: refreshMs,
    sentinelRetryStrategy: pauseBefore,
    sentinelReconnectStrategy: () => refreshMs,
    failoverDetector: true,
  })
}

/** Connects to Redis, and goes on trying where it is away. */
export function connectRedis(driver: RedisDriver, address: RedisAddress): RedisConnection {
  const client = openClient(driver, address)
  const { send: sendCommand } = ioredisClient(client)
  /** Why there is no connection, so far as is known. */
  let problem: Error | undefined
  /** Fulfills with the first connection, or once no server could be reached. */
  const opened = new Promise<void>((resolve) => {
    client.on('ready', () => {
      if (!lacksDatabase(problem)) problem = undefined
      resolve()
    })
    client.on('error', (error) => {
      note(error)
      resolve()
    })
    client.on('close', resolve)
  })
  /** Fulfills once all servers of a cluster are connected. Left alone, one connects with its first command, and rejects the next. */
  let connected: Promise<unknown> | undefined
  client.on('+node', (node) => {
    connected = Promise.allSettled([connected, node.connect()]).then(() => {})
  })
  client.on('node error', note)
  client.on('sentinelError', note)

  function note(error: Error): void {
    if (!saysNoMoreThanAway(error)) problem = error
  }

  async function send(args: readonly string[], key: string): Promise<unknown> {
    try {
      return await sendCommand(args, key)
    } catch (error) {
      throw saysNoMoreThanAway(error) ? (problem ?? error) : error
    }
  }

  const checked = address.kind === 'cluster' ? checkedKeys : checkedKeys.slice(0, 1)

  async function problemOf(calls: () => Promise<unknown>): Promise<Error | undefined> {
    try {
      await calls()
      return undefined
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error))
    }
  }

  return {
    send,
    async checkStart() {
      await Promise.race([opened.then(() => connected), after(connectMs, undefined, { ref: false })])
      return problemOf(async () => {
        if (lacksDatabase(problem)) throw problem
        if (address.kind === 'single') {
          // A role that may not be asked for is no reason not to count.
          const misfit = misfitOf(String(await send(['INFO'], '').catch(() => '')))
          if (misfit) throw new Error(`${new URL(address.url).host} ${misfit}`)
        }
        const key = 'pet-adoption:key:start'
        await send(['EVAL', startScript, '1', key], key)
      })
    },
    check: () => problemOf(() => Promise.all(checked.map((key) => send(['GET', key], key)))),
    close: () => client.disconnect(),
  }
}

/** Keys that no account has, each in the middle of a sixteenth of the slots of a cluster: a server has some of them. */
const checkedKeys = [
  1768, 1678, 1548, 223, 1328, 443, 1845, 1955, 265, 375, 908, 155, 985, 895, 1493, 1583,
].map((tag) => `pet-adoption:{${tag}}`)

/** Calls the commands that the limiter's script calls. */
const startScript = `redis.call('TIME') redis.call('SET', KEYS[1], redis.call('GET', KEYS[1]) or '', 'PX', '1')
return redis.call('DEL', KEYS[1])`

/** Returns why a server with the reply `info` to `INFO` cannot count where its address is that of one Redis. */
function misfitOf(info: string): string | undefined {
  const fieldOf = (name: string) => new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1]
  if (fieldOf('redis_mode') === 'cluster') return 'is in cluster mode'
  if (fieldOf('redis_mode') === 'sentinel') return 'is a Sentinel'
  if (fieldOf('role') !== 'slave') return undefined
  return `is a replica of ${fieldOf('master_host')}:${fieldOf('master_port')}, which cannot count`
}

/** Whether there is no database of the number that was given. The driver goes on with the database 0. */
function lacksDatabase(error: Error | undefined): boolean {
  return error?.message.includes('DB index') ?? false
}

/** Whether an error of the driver says no more than that there is no connection. */
function saysNoMoreThanAway(error: unknown): boolean {
  return /^Error: (?:Stream isn't writeable|Cluster isn't ready|Connection is closed|All sentinels)|max retries per request|Failed to refresh slots/.test(
    String(error),
  )
}

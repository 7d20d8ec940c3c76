import { sleep } from '../backend/index.ts'
import type { RedisAddress } from './address.ts'
import { type RedisClient, redisClient } from './client.ts'
import type { IoredisClient, IoredisCluster, RedisDriver } from './driver.ts'

/** A connection to one Redis server, a cluster, or the master behind Sentinels. */
export interface RedisConnection extends RedisClient {
  close(): void
}

/** How often a cluster's masters are looked up, in milliseconds. A lookup times out after the same period. */
const clusterRefreshMs = 1_000
/** How long a connection to a single server is used before it is replaced, in milliseconds. */
const renewalIntervalMs = 5_000
/** Timeout for opening a connection, and for a response while commands are pending, in milliseconds. */
const connectTimeoutMs = 2_000
/** Timeout for a command, in milliseconds. The limiter decides a request without Redis much earlier. */
const commandTimeoutMs = 500

/** Computes the delay before a connection attempt. The delay doubles from 10 ms up to 500 ms. */
function computeRetryDelay(attempt: number): number {
  return Math.min(5 * 2 ** attempt, 500)
}

/**
 * Driver options for every connection. Commands fail immediately while Redis is disconnected, and are never sent twice.
 * The limiter has already decided the request by then, so a second attempt would charge it again.
 */
const options = {
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
  commandTimeout: commandTimeoutMs,
  connectTimeout: connectTimeoutMs,
  socketTimeout: connectTimeoutMs,
  disconnectTimeout: 100,
  retryStrategy: computeRetryDelay,
  // The ready check prints a warning if the user is not allowed to run INFO.
  enableReadyCheck: false,
  disableClientInfo: true,
  sentinelCommandTimeout: clusterRefreshMs,
  sentinelRetryStrategy: computeRetryDelay,
}

function createDriverClient(
  { Redis, Cluster }: RedisDriver,
  { kind, hosts, options: addressOptions }: RedisAddress,
): IoredisClient | IoredisCluster {
  if (kind === 'single') return new Redis({ ...hosts[0], ...addressOptions, ...options })
  if (kind === 'sentinel') return new Redis({ sentinels: hosts, ...addressOptions, ...options })
  return new Cluster([...hosts], {
    enableOfflineQueue: false,
    enableReadyCheck: false,
    clusterRetryStrategy: computeRetryDelay,
    retryDelayOnFailover: 0,
    retryDelayOnClusterDown: 0,
    maxRedirections: 3,
    slotsRefreshTimeout: clusterRefreshMs,
    // Keep host names, because TLS certificates are issued for names. By default, the driver resolves them to
    // addresses.
    dnsLookup: (name: string, found: (error: null, address: string) => void) => found(null, name),
    redisOptions: {
      ...options,
      // Without a user name, the driver prints a warning every second if a server requires no password.
      ...(addressOptions.password && { username: 'default' }),
      ...addressOptions,
    },
  })
}

/**
 * Connects to Redis, and reconnects after an outage. Resolves after the first connection or connection error, at the
 * latest after two seconds.
 *
 * A connection to a single server is replaced every 5 s, so that a new master is found after a failover. Messages from
 * Sentinels can get lost, and an old master accepts commands for 8 to 20 s until the Sentinels make it a replica.
 */
export async function connectRedis(driver: RedisDriver, address: RedisAddress): Promise<RedisConnection> {
  /** The driver's latest error. Cleared when the connection is ready again. */
  let lastError: unknown
  let client = openClient()
  /** The connection that will replace `client` once it is ready. */
  let replacement: IoredisClient | undefined
  // This timer replaces the driver's timer, which keeps the process alive if a lookup is pending at `disconnect()`.
  const timer = setInterval(
    renewConnection,
    address.kind === 'cluster' ? clusterRefreshMs : renewalIntervalMs,
  )
  timer.unref?.() // in Deno, `setInterval` returns a number
  /** Resolves when the first connection is made or fails. */
  const firstEvent = new Promise<void>((resolve) => {
    for (const event of ['ready', 'error', 'close']) client.on(event, () => resolve())
  })
  /**
   * Resolves when the driver has tried to connect to every cluster node. Otherwise a node connects with its first
   * command and rejects the next one.
   */
  let nodesConnected: Promise<unknown> | undefined
  client.on('+node', (node) => {
    const { connect } = node as IoredisClient // the driver documents this type
    nodesConnected = Promise.allSettled([nodesConnected, connect.call(node)])
  })

  function openClient(): IoredisClient | IoredisCluster {
    const opened = createDriverClient(driver, address)
    opened.on('ready', () => {
      lastError = undefined
    })
    for (const event of ['error', 'node error', 'sentinelError'])
      opened.on(event, (error) => {
        if (!isDisconnectedError(error)) lastError = error
      })
    return opened
  }

  function renewConnection(): void {
    if ('refreshSlotsCache' in client) client.refreshSlotsCache()
    if ('refreshSlotsCache' in client || replacement) return
    const opening = openClient()
    replacement = opening
    opening.on('ready', () => {
      if (replacement !== opening) return
      const old = client
      client = opening
      replacement = undefined
      old.quit().catch(() => old.disconnect()) // `quit` waits for the commands in flight
    })
  }

  await Promise.race([firstEvent.then(() => nodesConnected), sleep(connectTimeoutMs)])
  const noConnectionMessage = `${address.hosts.map(({ host, port }) => `${host}:${port}`).join()} did not accept a connection`
  return {
    async send(args, key) {
      try {
        return await redisClient(client).send(args, key)
      } catch (error) {
        throw isDisconnectedError(error) ? (lastError ?? new Error(noConnectionMessage)) : error
      }
    },
    close() {
      clearInterval(timer)
      replacement?.disconnect()
      client.disconnect()
    },
  }
}

/** Whether the driver's error only means that Redis is disconnected, without a cause. */
function isDisconnectedError(error: unknown): boolean {
  return /^Error: (?:Stream isn't writeable|Cluster isn't ready|Connection is closed|All sentinels)|max retries per request|Failed to refresh slots/.test(
    String(error),
  )
}

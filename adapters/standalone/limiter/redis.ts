import { setTimeout as after } from 'node:timers/promises'
import type { RateLimiter } from '../../../core/index.ts'
import { createRedisLimiter, nodeRedisClient, type Unavailability } from '../../redis.ts'
import type { Setting } from '../cli/settings.ts'
import { explain, StartError, startWith } from '../errors.ts'
import type { Log } from '../log/log.ts'
import { loadDriver } from '../storage/load-driver.ts'

/** The part of the driver redis that is used here. */
interface RedisDriver {
  createClient(options: object): RedisDriverClient
}

interface RedisDriverClient {
  connect(): Promise<unknown>
  destroy(): void
  sendCommand(args: readonly string[]): Promise<unknown>
  on(event: 'error', listener: (cause: Error) => void): unknown
  on(event: 'ready', listener: () => void): unknown
}

/** How long the start waits for Redis, in milliseconds. */
const connectMs = 1_000

/** The longest pause between two attempts to connect again, in milliseconds. */
const longestPauseMs = 1_000

/**
 * Shares the limits through Redis or Valkey. A Redis that is away does not prevent the start: requests are decided as
 * `onUnavailable` says until it is available. `log` throttles repeated warnings.
 * Rejects with `StartError` for an invalid address, a wrong or missing password, or without the driver.
 */
export async function openRedis(
  { value, source }: Setting,
  onUnavailable: Unavailability,
  log: Pick<Log, 'warning' | 'info'>,
): Promise<{ limiter: RateLimiter; close(): void }> {
  const { createClient } = (await loadDriver('redis', source)) as RedisDriver // the package of that name
  const client = startWith(`${source} is not an address such as redis://127.0.0.1:6379`, () =>
    createClient({
      url: value,
      disableOfflineQueue: true,
      socket: { reconnectStrategy: (attempts: number) => Math.min(50 * 2 ** attempts, longestPauseMs) },
    }),
  )
  const connectionError = watchConnection(client)
  const startError = await connect(client)
  if (isRejection(startError ?? connectionError())) {
    client.destroy()
    throw new StartError(`${source}: ${explain(startError ?? connectionError(), false)}`)
  }

  /** Why Redis does not decide at the moment. */
  let failure: { readonly cause: unknown } | undefined

  const limiter = createRedisLimiter({
    client: nodeRedisClient(client),
    onUnavailable,
    onFault(cause) {
      failure = { cause }
      warn(cause)
    },
    onRecover() {
      failure = undefined
      log.info('redis', 'Redis is available again: limits are shared')
    },
  })
  function warn(cause: unknown): void {
    const reason = isOffline(cause) ? (connectionError() ?? cause) : cause
    const problem = isOutOfMemory(cause)
      ? 'Redis has no memory for more client addresses, so their limits'
      : 'Redis is not available, so limits'
    log.warning('redis', `${problem} are ${meaning[onUnavailable]}: ${explain(reason, false)}`)
  }

  return {
    limiter: {
      consume(key, limits) {
        if (failure) warn(failure.cause) // the log is throttled: one line every ten seconds of an outage
        return limiter.consume(key, limits)
      },
      peek: limiter.peek,
    },
    close: () => client.destroy(),
  }
}

/** Returns a function that returns why the connection is lost; undefined while there is one. */
function watchConnection(client: RedisDriverClient): () => Error | undefined {
  let error: Error | undefined
  client.on('error', (cause) => {
    error = cause
  })
  client.on('ready', () => {
    error = undefined
  })
  return () => error
}

/** Resolves with the error of the first command, or of the connection; undefined where there is none within a second. */
async function connect(client: RedisDriverClient): Promise<unknown> {
  const ready = client.connect().then(() => client.sendCommand(['PING']))
  return Promise.race([
    ready.then(
      () => undefined,
      (cause) => cause,
    ),
    after(connectMs, undefined, { ref: false }),
  ])
}

/** Whether an error says that Redis rejects the address: its password, its user or its database. */
function isRejection(cause: unknown): boolean {
  return /WRONGPASS|NOAUTH|\bAUTH\b|invalid password|DB index/.test(String(cause))
}

/** Whether an error says no more than that there is no connection. */
function isOffline(cause: unknown): boolean {
  return /client is offline/i.test(String(cause))
}

/** Whether an error is that of a Redis at its `maxmemory`, which still decides for the keys that it has. */
function isOutOfMemory(cause: unknown): boolean {
  return /\bOOM\b/.test(String(cause))
}

const meaning: Readonly<Record<Unavailability, string>> = {
  local: 'counted by each server alone',
  open: 'not counted',
  closed: 'unknown, and requests are rejected with 503',
}

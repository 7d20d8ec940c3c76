import type { RateLimiter } from '../../core/index.ts'
import { checkOptions, functionRule, type OptionRule, stringRule } from '../../core/internal.ts'
import { type Backend, type BackendOptions, createHealthCheck } from '../backend/index.ts'
import { parseRedisAddress } from './address.ts'
import { connectRedis } from './connection.ts'
import type { RedisDriver } from './driver.ts'
import type { FailureMode } from './failure-mode.ts'
import { createSharedLimiter, type RedisLimiterOptions, sharedOptionRules } from './limiter.ts'
import { checkRedis, findEvictionPolicy } from './startup.ts'

/** Options for {@link openRedis}. Only `driver` and `url` are required. */
export interface OpenRedisOptions
  extends BackendOptions,
    Pick<RedisLimiterOptions, 'failureMode' | 'timeoutMs' | 'prefix' | 'ban' | 'clock'> {
  /** The package `ioredis`, version 6. */
  readonly driver: RedisDriver
  /**
   * The address, in one of these forms:
   *
   * - `redis://HOST:PORT` for a single server
   * - `redis+cluster://HOST:PORT,HOST:PORT` with some of a cluster's servers
   * - `redis+sentinel://HOST:PORT,HOST:PORT/MASTER` with Sentinels and the name of their master
   *
   * With `rediss` instead of `redis`, all connections use TLS. User name and password come before the first host, as in
   * `redis://USER:PASSWORD@HOST:PORT`. A database number comes last, as in `redis://HOST:PORT/1`.
   */
  readonly url: string
}

/** A rate limiter in Redis, and its connection. */
export interface RedisBackend extends Backend {
  /** The rate limiter to pass to `createPetService`. */
  readonly limiter: RateLimiter
}

/**
 * How often Redis is checked, in milliseconds. More than a second, because a check within a second returns the previous
 * result.
 */
const checkIntervalMs = 1_100

const isDriver = (driver: unknown) =>
  functionRule[0](Object(driver).Redis) && functionRule[0](Object(driver).Cluster)

const optionRules: Readonly<Record<keyof OpenRedisOptions, OptionRule>> = {
  ...sharedOptionRules,
  driver: [isDriver, 'the package ioredis; pass a client of the package redis to createRedisLimiter instead'],
  url: stringRule,
  onEvent: functionRule,
}

/** How requests are decided in each failure mode, for messages. */
const failureEffects: Readonly<Record<FailureMode, string>> = {
  local: 'each process counts requests on its own',
  open: 'requests are not counted',
  closed: 'requests are rejected with 503',
}

/** One key for each sixteenth of a cluster's slots, so that every server stores at least one key. */
const slotKeys = [1768, 1678, 1548, 223, 1328, 443, 1845, 1955, 265, 375, 908, 155, 985, 895, 1493, 1583].map(
  (tag) => `key:{${tag}}`,
)

/**
 * Connects to Redis or Valkey and creates a rate limiter that stores its counts there. See {@link createRedisLimiter}
 * for its behavior.
 *
 * The connection is restored after an outage, and finds the new master after a failover. Redis may be unavailable at
 * startup: until it is available, `failureMode` decides requests.
 *
 * Redis is checked about once per second. A `redis` event reports an outage with its cause, and the recovery. A
 * `redis-evicts` event warns that Redis may evict limits. Without `onEvent`, the cause of an outage goes to the
 * service's `onError`.
 *
 * @throws {TypeError} If an option is invalid or unknown. The message names the option.
 * @throws {StartupError} If the address is invalid, or if somebody has to fix something before Redis can be used, such
 * as a wrong password or the address of a replica.
 *
 * @example
 * import * as ioredis from 'ioredis'
 * import { createKeyStore, createPetService } from 'pet-adoption-service'
 * import { openRedis } from 'pet-adoption-service/redis'
 *
 * const { limiter } = await openRedis({ driver: ioredis, url: 'redis://127.0.0.1:6379' })
 * const service = createPetService({ keys: createKeyStore([]), limiter })
 */
export async function openRedis(options: OpenRedisOptions): Promise<RedisBackend> {
  checkOptions({ ...options, driver: options?.driver ?? null, url: options?.url ?? null }, optionRules)
  const { driver, url, onEvent, ...limiterOptions } = options
  const { failureMode = 'local', prefix = 'pet-adoption:' } = options
  const address = parseRedisAddress(url)
  const connection = await connectRedis(driver, address)
  try {
    await checkRedis(connection, address, prefix)
  } catch (cause) {
    connection.close()
    throw cause
  }

  const limiter = createSharedLimiter({
    ...limiterOptions,
    client: connection,
    ...(onEvent && {
      onFault(cause) {
        const message = `Redis is unavailable, so ${failureEffects[failureMode]}`
        onEvent({ level: 'warning', event: 'redis', message, cause })
      },
    }),
    onRecover() {
      onEvent?.({ level: 'info', event: 'redis', message: 'Redis has recovered: limits are shared again' })
      void warnAboutEviction() // a new master may have another maxmemory-policy
    },
  })

  async function warnAboutEviction(): Promise<void> {
    const policy = await findEvictionPolicy(connection)
    const message = `Redis may evict limits when its memory is full: set maxmemory-policy to noeviction instead of ${policy}`
    if (policy) onEvent?.({ level: 'warning', event: 'redis-evicts', message })
  }

  const keys = address.kind === 'cluster' ? slotKeys : ['key:check']
  const check = createHealthCheck({
    reads: () => limiter.probe('address:check'),
    writes: () => Promise.all(keys.map(limiter.probe)),
  })
  await check()
  if (!limiter.isFailing) await warnAboutEviction()
  const timer = setInterval(() => void check(), checkIntervalMs)
  timer.unref?.() // in Deno, `setInterval` returns a number

  return {
    limiter,
    check,
    metrics: () => ({ up: limiter.isFailing ? 0 : 1 }),
    async close() {
      clearInterval(timer)
      connection.close()
    },
  }
}

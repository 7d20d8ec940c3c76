import { createMemoryLimiter, type RateLimiter } from '../../../core/index.ts'
import type { Backend, BackendOptions } from '../../backend/index.ts'
import type { FailureMode, RedisDriver } from '../../redis/index.ts'
import type { Setting } from '../cli/values.ts'
import { loadDriver } from '../load-driver.ts'
import { toSettingError } from './startup.ts'

/** The settings that choose a rate limiter. */
export interface LimiterChoice {
  /** The Redis address, or `undefined` if the server counts on its own. */
  readonly redis: Setting | undefined
  readonly failureMode: FailureMode
}

/** The rate limiter's state, for metrics. */
export interface LimiterFigures {
  /** `shared` while requests are counted in Redis, otherwise the failure mode. */
  readonly mode: 'shared' | FailureMode
  /** Whether Redis is available, or `undefined` without `--redis`. */
  readonly isRedisUp: boolean | undefined
}

export interface OpenLimiter extends Pick<Backend, 'close'> {
  readonly limiter: RateLimiter
  readonly figures: () => LimiterFigures
}

/**
 * Opens a rate limiter that counts in Redis, or in memory without `--redis`.
 *
 * @throws {UsageError} If the driver is missing or the address is invalid.
 * @throws {StartError} If Redis cannot be used and a retry cannot help.
 */
export async function openLimiter(
  { redis, failureMode }: LimiterChoice,
  { clock, onEvent }: Required<BackendOptions>,
): Promise<OpenLimiter> {
  if (!redis)
    return {
      limiter: createMemoryLimiter({ clock }),
      figures: () => ({ mode: 'local', isRedisUp: undefined }),
      async close() {},
    }
  const { value: url, source } = redis
  const driver = (await loadDriver('ioredis', source)) as RedisDriver // `loadDriver` returns the package `ioredis`
  const { openRedis } = await import('../../redis/index.ts')
  const backend = await openRedis({ driver, url, failureMode, onEvent }).catch((cause) => {
    throw toSettingError(source, cause)
  })
  return {
    ...backend,
    figures() {
      const isRedisUp = backend.metrics().up === 1
      return { mode: isRedisUp ? 'shared' : failureMode, isRedisUp }
    },
  }
}

import { createMemoryLimiter, type RateLimiter } from '../../../core/index.ts'
import type { Unavailability } from '../../redis.ts'
import type { Setting } from '../cli/settings.ts'
import type { Log } from '../log/log.ts'
import { openRedis } from './redis.ts'

export interface OpenLimiter {
  readonly limiter: RateLimiter
  /** Called when the last request has its answer. */
  close(): void | Promise<void>
}

/** What counts requests, as it was asked for. */
export interface LimiterChoice {
  /** Undefined where this server counts alone. */
  readonly redis: Setting | undefined
  readonly redisDown: Unavailability
}

/** Opens what was asked for, or throws `StartError`: never something else instead. `clock` tells the ms since the epoch. */
export async function openLimiter(
  { redis, redisDown }: LimiterChoice,
  clock: () => number,
  log: Log,
): Promise<OpenLimiter> {
  if (redis) return openRedis(redis, redisDown, log)
  return { limiter: createMemoryLimiter({ clock }), close: () => {} }
}

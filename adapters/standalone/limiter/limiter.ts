import { createMemoryLimiter } from '../../../core/index.ts'
import type { Unavailability } from '../../redis.ts'
import type { Log } from '../log/log.ts'
import type { OpenLimiter, RedisChoice } from './open-limiter.ts'
import { openRedis } from './redis.ts'

/** The rate limiter that was chosen. */
export interface LimiterChoice {
  /** The address of Redis. Undefined where this server counts alone. */
  readonly redis: RedisChoice | undefined
  readonly redisDown: Unavailability
}

/** Opens the limiter that was chosen, and never another one. Rejects with `StartError`. `clock` returns ms since the epoch. */
export async function openLimiter(
  { redis, redisDown }: LimiterChoice,
  clock: () => number,
  log: Pick<Log, 'warning' | 'info'>,
): Promise<OpenLimiter> {
  if (redis) return openRedis(redis, redisDown, log)
  return {
    limiter: createMemoryLimiter({ clock }),
    figures: () => ({ mode: 'local', redis: undefined }),
    close: () => {},
  }
}

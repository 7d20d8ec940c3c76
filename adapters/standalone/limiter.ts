import { createMemoryLimiter, type RateLimiter } from '../../core/index.ts'
import { StartError } from './failures.ts'
import type { Setting } from './settings.ts'

export interface OpenLimiter {
  readonly limiter: RateLimiter
  /** Called when the last request has its answer. */
  close(): void | Promise<void>
}

/** Opens what was asked for, or throws `StartError`: never something else instead. `clock` tells the ms since the epoch. */
export function openLimiter(redis: Setting | undefined, clock: () => number): OpenLimiter {
  if (redis) {
    throw new StartError(
      `${redis.source} is not available in this version: without it, each server counts by itself`,
    )
  }
  return { limiter: createMemoryLimiter({ clock }), close: () => {} }
}

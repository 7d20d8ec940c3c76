import type { RateLimiter } from '../../../core/index.ts'
import type { Unavailability } from '../../redis.ts'
import type { Setting } from '../cli/settings.ts'
import type { RedisCause } from './redis-problem.ts'

/** The address of Redis, and the folder that has the driver; by default next to the program. */
export interface RedisChoice extends Setting {
  readonly drivers?: string
}

/** How requests are counted at the moment: shared with the other servers, or as `--redis-down` says. */
export type LimiterMode = 'shared' | Unavailability

/** What an operator watches of a limiter. */
export interface LimiterFigures {
  readonly mode: LimiterMode
  /** Whether Redis counts, and why it does not or does so for keys only; undefined without Redis. */
  readonly redis: { readonly isUp: boolean; readonly cause: RedisCause | undefined } | undefined
}

export interface OpenLimiter {
  readonly limiter: RateLimiter
  readonly figures: () => LimiterFigures
  /** Called after the last response. */
  close(): void | Promise<void>
}

import { setTimeout as after } from 'node:timers/promises'
import type { RateLimiter } from '../../../core/index.ts'
import { createRedisLimiter, nodeRedisClient, type Unavailability } from '../../redis.ts'
import type { Setting } from '../cli/settings.ts'
import { explain, startWith } from '../errors.ts'
import type { Log } from '../log/log.ts'
import { loadDriver } from '../storage/load-driver.ts'

/** What is used of the driver redis. */
interface RedisDriver {
  createClient(options: object): {
    connect(): Promise<unknown>
    destroy(): void
    sendCommand(args: readonly string[]): Promise<unknown>
    on(event: 'error', listener: (cause: Error) => void): unknown
  }
}

/** How long the start waits for Redis, in milliseconds. */
const connectMs = 1_000

/** The longest pause between two tries to connect again, in milliseconds. */
const longestPauseMs = 1_000

/**
 * Shares the limits through Redis or Valkey. One that does not answer does not stop the start: requests are then decided
 * as `onUnavailable` says, until it does. Throws `StartError` for an address that is none, or without the driver.
 */
export async function openRedis(
  { value, source }: Setting,
  onUnavailable: Unavailability,
  log: Pick<Log, 'warning' | 'info'>,
): Promise<{ limiter: RateLimiter; close(): void }> {
  const { createClient } = (await loadDriver('redis', source)) as RedisDriver // the package of that name
  const client = startWith(`${source} is no address such as redis://127.0.0.1:6379`, () =>
    createClient({
      url: value,
      disableOfflineQueue: true,
      socket: { reconnectStrategy: (tries: number) => Math.min(50 * 2 ** tries, longestPauseMs) },
    }),
  )
  client.on('error', () => {}) // each request that meets it is told, and onFault below
  await Promise.race([client.connect().catch(() => {}), after(connectMs, undefined, { ref: false })])
  const limiter = createRedisLimiter({
    client: nodeRedisClient(client),
    onUnavailable,
    onFault: (cause) =>
      log.warning(
        'redis',
        `Redis does not answer, so limits are ${meaning[onUnavailable]}: ${explain(cause, false)}`,
      ),
    onRecover: () => log.info('redis', 'Redis answers again: limits are shared'),
  })
  return { limiter, close: () => client.destroy() }
}

const meaning: Readonly<Record<Unavailability, string>> = {
  local: 'counted by each server alone',
  open: 'not counted',
  closed: 'unknown, and requests are refused with 503',
}

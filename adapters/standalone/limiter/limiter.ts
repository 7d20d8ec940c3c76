import { setTimeout as after } from 'node:timers/promises'
import { createMemoryLimiter, plans, type RateLimiter } from '../../../core/index.ts'
import { limitsOf } from '../../../core/internal.ts'
import { createRedisLimiter, type Unavailability } from '../../redis.ts'
import type { Setting } from '../cli/settings.ts'
import { explain, StartError, startWith } from '../errors.ts'
import { loadDriver } from '../load-driver.ts'
import type { Log } from '../log/log.ts'
import { type RedisAddress, readRedisAddress } from './redis-address.ts'
import { connectRedis } from './redis-masters.ts'
import { causeOf, isConfiguration, withAdvice } from './redis-problem.ts'
import type { RedisConnection, RedisDriver } from './redis-server.ts'
import { type LimiterFigures, watchRedis } from './redis-watch.ts'

/** How often the servers of Redis are looked for and checked, in milliseconds. */
const refreshMs = 1_000

/** The rate limiter that was chosen. */
export interface LimiterChoice {
  /** The address of Redis, and the folder that has the driver; by default next to the program. Undefined where this server counts alone. */
  readonly redis: (Setting & { readonly drivers?: string }) | undefined
  readonly redisDown: Unavailability
}

export interface OpenLimiter {
  readonly limiter: RateLimiter
  readonly figures: () => LimiterFigures
  /** Called after the last response. */
  close(): void | Promise<void>
}

/**
 * Opens the limiter that was chosen, and never another one: in memory, by `clock` (ms since the epoch), or through Redis or
 * Valkey. A Redis that is away does not prevent the start: requests are decided as `redisDown` says until it is available.
 * `log` throttles repeated warnings.
 * Rejects with `StartError` without the driver, and where the server would count alone for ever: for an invalid address,
 * a wrong or missing password, or a server that cannot count or needs another form of address.
 */
export async function openLimiter(
  { redis, redisDown }: LimiterChoice,
  clock: () => number,
  log: Pick<Log, 'warning' | 'info'>,
): Promise<OpenLimiter> {
  if (!redis)
    return {
      limiter: createMemoryLimiter({ clock }),
      figures: () => ({ mode: 'local', redis: undefined }),
      close: () => {},
    }
  const { value, source, drivers } = redis
  const address = startWith(`${source} is not an address of Redis`, () => readRedisAddress(value))
  const driver = (await loadDriver('redis', source, drivers)) as RedisDriver // the package of that name
  const connection = startWith(`${source} is not an address such as redis://127.0.0.1:6379`, () =>
    connectRedis(driver, address),
  )
  const startProblem = (await connection.refresh()) ?? (await tryScript(connection))
  if (startProblem && stopsStart(startProblem, address)) {
    connection.close()
    throw new StartError(`${source}: ${explain(withAdvice(startProblem), false)}`)
  }

  const watch = watchRedis(redisDown, log)
  const limiter = createRedisLimiter({
    client: watch.client(connection),
    onUnavailable: redisDown,
    onFault: watch.failed,
    onRecover: watch.recovered,
  })
  watch.checked(startProblem)

  let isRefreshing = false
  let isClosed = false
  async function refresh(): Promise<void> {
    if (isRefreshing) return
    isRefreshing = true
    const problem = await connection.refresh()
    isRefreshing = false
    if (isClosed) return
    watch.checked(problem)
    // Tries Redis where no request does.
    if (watch.isFailing) await probe().catch(() => {})
  }
  async function probe(): Promise<void> {
    await limiter.peek('address:readyz', limitsOf(plans.free))
  }
  const timer = setInterval(() => void refresh(), refreshMs).unref()

  return {
    limiter: {
      consume(key, limits) {
        watch.warnAgain()
        return limiter.consume(key, limits)
      },
      peek: limiter.peek,
    },
    figures: watch.figures,
    close() {
      isClosed = true
      clearInterval(timer)
      connection.close()
    },
  }
}

/** Calls the commands that the limiter's scripts call. */
const startScript = `redis.call('TIME') redis.call('SET', KEYS[1], redis.call('GET', KEYS[1]) or '', 'PX', '1')
return redis.call('DEL', KEYS[1])`

/** Runs a script of the limiter's commands. Resolves with the error of a user that may not run them. */
async function tryScript(connection: RedisConnection): Promise<Error | undefined> {
  try {
    const key = 'pet-adoption:key:start'
    const sent = connection.send(['EVAL', startScript, '1', key], key)
    await Promise.race([sent, after(refreshMs, undefined, { ref: false })])
    return undefined
  } catch (error) {
    return isConfiguration(error) && error instanceof Error ? error : undefined
  }
}

/** Whether waiting cannot repair a problem. A cluster and Sentinels have replicas for a moment in each failover. */
function stopsStart(problem: Error, address: RedisAddress): boolean {
  const cause = causeOf(problem)
  const passes = address.kind !== 'single' && (cause === 'replica' || cause === 'cluster')
  return isConfiguration(problem) && !passes
}

import { createMemoryLimiter, type Limit, plans, type RateLimiter } from '../../../core/index.ts'
import { toLimits } from '../../../core/internal.ts'
import { createRedisLimiter, type Unavailability } from '../../redis/index.ts'
import type { Setting } from '../cli/values.ts'
import { explain, StartError, UsageError } from '../errors.ts'
import { loadDriver } from '../load-driver.ts'
import type { Log } from '../log/log.ts'
import { forms, type RedisAddress, readRedisAddress } from './redis-address.ts'
import { connectRedis, type RedisDriver } from './redis-connection.ts'

/** Interval of the checks of the Redis servers, in milliseconds. */
const checkMs = 1_000

/** The rate limiter that was chosen. */
export interface LimiterChoice {
  /** The address of Redis; undefined if only this server counts. */
  readonly redis: Setting | undefined
  readonly redisDown: Unavailability
}

/** The state of a limiter, for health checks and metrics. */
export interface LimiterFigures {
  /** The current mode: shared with the other servers, or the one of `--redis-down`. */
  readonly mode: 'shared' | Unavailability
  /** True if Redis counts; undefined without Redis. */
  readonly isRedisUp: boolean | undefined
}

export interface OpenLimiter {
  readonly limiter: RateLimiter
  readonly figures: () => LimiterFigures
  /** Called after the last response. */
  close(): void | Promise<void>
}

/**
 * Opens the chosen limiter: in memory, by `clock` (ms since the epoch), or through Redis or Valkey. The server also
 * starts while Redis is down: `redisDown` decides requests until it is available. `log` throttles repeated warnings.
 * Rejects with `UsageError` if the driver is missing or the address is malformed, and with `StartError` for what no retry
 * can help: a wrong or missing password, or a server that cannot count or needs another form of address.
 */
export async function openLimiter(
  { redis, redisDown }: LimiterChoice,
  clock: () => number,
  log: Pick<Log, 'warning' | 'info'>,
): Promise<OpenLimiter> {
  if (!redis)
    return {
      limiter: createMemoryLimiter({ clock }),
      figures: () => ({ mode: 'local', isRedisUp: undefined }),
      close: () => {},
    }
  const { value, source } = redis
  const address = parseAddress(value, source)
  const driver = (await loadDriver('ioredis', source)) as RedisDriver // the package of that name
  const connection = connectRedis(driver, address)
  try {
    await connection.checkStart()
  } catch (problem) {
    const message = explain(problem, false)
    const advice = adviceFor(message, address)
    if (advice) {
      connection.close()
      throw new StartError(`${source}: ${message}: ${advice}`)
    }
  }

  /** The error of the last call; undefined if it succeeded. */
  let failure: unknown
  /** The last error until all checks of a round succeed. */
  let problem: unknown
  const limiter = createRedisLimiter({
    client: connection,
    onUnavailable: redisDown,
    onFault(error) {
      failure = error
      problem = error
    },
    onRecover() {
      failure = undefined
    },
  })
  /** Checks Redis, also while no requests arrive. The log has at most one line in 10 s. */
  async function check(): Promise<void> {
    const before = problem
    await Promise.allSettled(keys.map(async (key) => limiter.peek(key, readyzLimits)))
    const message = `Redis is not available, so limits are ${meaning[redisDown]}`
    if (failure !== undefined) log.warning('redis', `${message}: ${explain(failure, false)}`)
    else if (problem !== undefined) log.info('redis', 'Redis is available again: limits are shared')
    problem = failure
    if (failure === undefined && before !== undefined) await warnOfEviction()
  }

  /** Warns if Redis evicts keys. A failover may change the policy. */
  async function warnOfEviction(): Promise<void> {
    const policy = await connection.evictingPolicy()
    if (policy)
      log.warning(
        'redis-evicts',
        `Redis evicts keys if its memory is full, so limits may be lost: set maxmemory-policy noeviction instead of ${policy}`,
      )
  }
  const keys = address.kind === 'cluster' ? [...checkedKeys, ...keysOfSlots] : checkedKeys
  await check()
  if (failure === undefined) await warnOfEviction()
  const timer = setInterval(() => void check(), checkMs).unref()

  return {
    limiter,
    figures: () => ({
      mode: problem === undefined ? 'shared' : redisDown,
      isRedisUp: problem === undefined,
    }),
    close() {
      clearInterval(timer)
      connection.close()
    },
  }
}

function parseAddress(value: string, source: string): RedisAddress {
  try {
    return readRedisAddress(value)
  } catch (cause) {
    throw new UsageError(`${source} is not an address of Redis: ${explain(cause, false)}`)
  }
}

/** Limits for checks. The limiter calls Redis for their numbers at most once per second. */
export const readyzLimits: readonly Limit[] = toLimits(plans.free)

/** Keys of no account, one for each kind of calls. */
const checkedKeys: readonly string[] = ['address:readyz', 'key:readyz']
/** One key in the middle of each 1/16 of the slots of a cluster, so that every server has some of them. */
const keysOfSlots = [
  1768, 1678, 1548, 223, 1328, 443, 1845, 1955, 265, 375, 908, 155, 985, 895, 1493, 1583,
].map((tag) => `key:{${tag}}`)

const meaning: Readonly<Record<Unavailability, string>> = {
  local: 'counted by each server alone',
  open: 'not counted',
  closed: 'unknown, and requests are rejected with 503',
}

/** Errors that no retry repairs, with the advice for the operator. */
const permanent: readonly (readonly [error: RegExp, advice: string])[] = [
  [/WRONGPASS|NOAUTH|invalid password/, 'give the password in the address'],
  [/NOPERM|ACL failure|can't run this command/, 'allow +eval +evalsha +time +get +set +del ~pet-adoption:*'],
  [/certificate|CERT_/i, 'have it issued for this address, and name its authority: NODE_EXTRA_CA_CERTS=FILE'],
  [/DB index/, 'give the number of a database that it has'],
  [/cluster support disabled/, 'give its address as redis://HOST:PORT'],
  [/invalid reply: null/, 'the Sentinels know no master of that name'],
  [/unknown command/i, 'give the address of a Redis as redis://HOST:PORT'],
]

/** The same for a single Redis. In a cluster or with Sentinels these errors are normal during a failover. */
const permanentOfSingle: typeof permanent = [
  [/READONLY|is a replica/, `give the address of the master, or of the Sentinels as ${forms.sentinel}`],
  [/is a Sentinel/, `give its address as ${forms.sentinel}`],
  [/MOVED|in cluster mode/, `give its address as ${forms.cluster}`],
]

/** Returns the advice for an error that no retry repairs; undefined for an error that may pass. */
function adviceFor(problem: string, { kind }: RedisAddress): string | undefined {
  const rows = kind === 'single' ? [...permanentOfSingle, ...permanent] : permanent
  return rows.find(([error]) => error.test(problem))?.[1]
}

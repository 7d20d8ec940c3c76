import { createMemoryLimiter, type Limit, plans, type RateLimiter } from '../../../core/index.ts'
import { limitsOf } from '../../../core/internal.ts'
import { createRedisLimiter, type Unavailability } from '../../redis/index.ts'
import type { Setting } from '../cli/values.ts'
import { explain, StartError, startErrorOf } from '../errors.ts'
import { loadDriver } from '../load-driver.ts'
import type { Log } from '../log/log.ts'
import { forms, type RedisAddress, readRedisAddress } from './redis-address.ts'
import { connectRedis, type RedisDriver } from './redis-connection.ts'

/** How often the servers of Redis are checked, in milliseconds. */
const checkMs = 1_000

/** The rate limiter that was chosen. */
export interface LimiterChoice {
  /** The address of Redis; undefined where this server counts alone. */
  readonly redis: Setting | undefined
  readonly redisDown: Unavailability
}

/** What an operator watches of a limiter. */
export interface LimiterFigures {
  /** How requests are counted at the moment: shared with the other servers, or as `--redis-down` says. */
  readonly mode: 'shared' | Unavailability
  /** Whether Redis counts; undefined without Redis. */
  readonly isRedisUp: boolean | undefined
}

export interface OpenLimiter {
  readonly limiter: RateLimiter
  readonly figures: () => LimiterFigures
  /** Called after the last response. */
  close(): void | Promise<void>
}

/**
 * Opens the limiter that was chosen, and never another one: in memory, by `clock` (ms since the epoch), or through
 * Redis or Valkey. A Redis that is away does not prevent the start: requests are decided as `redisDown` says until it
 * is available. `log` throttles repeated warnings. Rejects with `StartError` without the driver, and where the server
 * would count alone for ever: for an invalid address, a wrong or missing password, or a server that cannot count or
 * needs another form of address.
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
  const address = addressOf(value, source)
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

  /** Why the last call failed; undefined while calls succeed. */
  let failure: unknown
  /** The same, but what has recovered counts once all that is checked works. */
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
  /** Where no request comes, nothing else finds out what works. The log has one line every ten seconds. */
  async function check(): Promise<void> {
    const before = problem
    await Promise.allSettled(keys.map(async (key) => limiter.peek(key, readyzLimits)))
    const message = `Redis is not available, so limits are ${meaning[redisDown]}`
    if (failure !== undefined) log.warning('redis', `${message}: ${explain(failure, false)}`)
    else if (problem !== undefined) log.info('redis', 'Redis is available again: limits are shared')
    problem = failure
    if (failure === undefined && before !== undefined) await warnOfEviction()
  }

  /** The policy may be another one after a failover. */
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

function addressOf(value: string, source: string): RedisAddress {
  try {
    return readRedisAddress(value)
  } catch (cause) {
    throw startErrorOf(`${source} is not an address of Redis`, cause)
  }
}

/** Always the same list: the limiter calls Redis for its numbers at most once a second. */
export const readyzLimits: readonly Limit[] = limitsOf(plans.free)

/** Keys that no account has. Callers and addresses are counted apart. */
const checkedKeys: readonly string[] = ['address:readyz', 'key:readyz']
/** Each in the middle of a sixteenth of the slots of a cluster: a server has some of them. */
const keysOfSlots = [
  1768, 1678, 1548, 223, 1328, 443, 1845, 1955, 265, 375, 908, 155, 985, 895, 1493, 1583,
].map((tag) => `key:{${tag}}`)

const meaning: Readonly<Record<Unavailability, string>> = {
  local: 'counted by each server alone',
  open: 'not counted',
  closed: 'unknown, and requests are rejected with 503',
}

/** What no waiting repairs, by what an error says, and what to do about it: the server would count alone for ever. */
const settled: readonly (readonly [error: RegExp, advice: string])[] = [
  [/WRONGPASS|NOAUTH|invalid password/, 'give the password in the address'],
  [/NOPERM|ACL failure|can't run this command/, 'allow +eval +evalsha +time +get +set +del ~pet-adoption:*'],
  [/certificate|CERT_/i, 'have it issued for this address, and name its authority: NODE_EXTRA_CA_CERTS=FILE'],
  [/DB index/, 'give the number of a database that it has'],
  [/cluster support disabled/, 'give its address as redis://HOST:PORT'],
  [/invalid reply: null/, 'the Sentinels know no master of that name'],
  [/unknown command/i, 'give the address of a Redis as redis://HOST:PORT'],
]

/** Likewise, but a cluster and Sentinels have replicas for a moment in each failover. */
const settledOfOne: typeof settled = [
  [/READONLY|is a replica/, `give the address of the master, or of the Sentinels as ${forms.sentinel}`],
  [/is a Sentinel/, `give its address as ${forms.sentinel}`],
  [/MOVED|in cluster mode/, `give its address as ${forms.cluster}`],
]

/** Returns what to do about a problem that no waiting repairs; undefined for one that may pass. */
function adviceFor(problem: string, { kind }: RedisAddress): string | undefined {
  const rows = kind === 'single' ? [...settledOfOne, ...settled] : settled
  return rows.find(([error]) => error.test(problem))?.[1]
}

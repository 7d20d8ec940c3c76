import {
  type BanPolicy,
  createMemoryLimiter,
  type Decision,
  type Limit,
  LimiterUnavailable,
  type RateLimiter,
} from '../../core/index.ts'
import { aFunction, anyValue, checkOptions, ExpiringMap, type OptionRule } from '../../core/internal.ts'
import { checkLimits, createAccount, peekAccount, readBanPolicy } from '../../core/limiter.ts'
import { type CircuitBreaker, createCircuitBreaker } from '../circuit-breaker/index.ts'
import type { RedisClient } from './client.ts'
import { areSame, isWithin, Rejections } from './rejections.ts'
import { createScriptCall, isAddress } from './script-call.ts'

export {
  type Ioredis,
  type NodeRedis,
  type NodeRedisCluster,
  type RedisClient,
  redisClient,
} from './client.ts'

/**
 * The decision about a request while Redis fails. `local`: only this process counts, so each process admits a whole
 * limit. `open`: the request is admitted and not counted. `closed`: a `LimiterUnavailable`, which becomes a 503.
 */
export type Unavailability = 'local' | 'open' | 'closed'

/** The options of `createRedisLimiter`. Only `client` is required. */
export interface RedisLimiterOptions {
  /** The result of `redisClient`. */
  readonly client: RedisClient
  /** The decision about requests while Redis fails; `local` by default. */
  readonly onUnavailable?: Unavailability
  /**
   * Maximum time a request waits for Redis, in milliseconds: a number above 0; 100 by default. The time passes in 10
   * turns of the event loop, so a pause of this process does not count as silence of Redis. If turns take longer than
   * 10 % of it, a request may wait longer, but at most 11 turns. Timeouts of the driver must not be shorter: they count
   * pauses.
   */
  readonly timeoutMs?: number
  /** The prefix of the keys in Redis; `pet-adoption:` by default. */
  readonly prefix?: string
  /** The policy of bans. Omitted members have their default; `false` for no bans. Must be the same in all processes. */
  readonly ban?: Partial<BanPolicy> | false
  /**
   * Returns the milliseconds since the epoch, for tests. By default Redis decides by its own clock, which is the same
   * for all processes, and `Date.now` measures how long this process has known something.
   */
  readonly clock?: () => number
  /** Called with the first failure after a success. Without it, the `onError` of the service is called. */
  readonly onFault?: (error: unknown) => void
  /** Called with the first success that comes a second or more after the last failure. */
  readonly onRecover?: () => void
}

/** Every way to decide without Redis. */
export const unavailabilities: readonly Unavailability[] = ['local', 'open', 'closed']

const optionRules: Readonly<Record<keyof RedisLimiterOptions, OptionRule>> = {
  client: [(client) => aFunction[0](Object(client).send), 'an object with send(args, key): see redisClient'],
  onUnavailable: [
    (mode) => unavailabilities.some((known) => known === mode),
    `one of ${unavailabilities.join(', ')}`,
  ],
  timeoutMs: [(ms) => typeof ms === 'number' && ms > 0 && ms < Infinity, 'a number above 0'],
  prefix: [(prefix) => typeof prefix === 'string', 'a string'],
  onFault: aFunction,
  onRecover: aFunction,
  ban: anyValue, // the limiter of this process checks the others
  clock: anyValue,
}

/** Maximum number of calls in flight, and of pending calls: for keys, and again for addresses. */
const [maxCalls, maxPending] = [128, 10_000]
/** Time without a failure after which Redis counts as recovered, in milliseconds. */
const recoveryMs = 1_000
/** Maximum age of the numbers that `peek` returns without a call of Redis, in milliseconds. */
const shownMs = 1_000
/** Number of keys whose numbers are stored, at least; 4 to 8 MB. */
const maxShown = 10_000

/** The numbers of a key, as Redis returned them at `since` (ms since the epoch) or will return them. */
interface CachedNumbers {
  readonly since: number
  readonly limits: readonly Limit[]
  numbers: Decision | Promise<Decision>
}

/**
 * Creates a limiter that stores its counts in Redis or Valkey. Any number of processes share the limits. A request costs
 * one call of a script on one key, which also works in a cluster. A key expires when its account counts as new.
 *
 * A rejection is repeated by this process, without a call, until its wait is over or the limits of the key change. About
 * once per second, Redis is called and receives the number of repetitions. So a ban holds in every process within about
 * a second, whichever process caused it.
 *
 * `peek` calls Redis at most once per second and key. Otherwise it returns the numbers after the last decision of this
 * process, without the charges of other processes since then. So requests that are not charged cost Redis little.
 *
 * While Redis fails, `onUnavailable` decides: after `timeoutMs`, and immediately after five consecutive failures. Then
 * one request per second tries Redis. If one server of a cluster is silent, the requests for its keys wait. Failures are
 * reported to `onFault` or, without it, to the `onError` of the service. A timer runs only while calls are in flight.
 *
 * At most 128 calls for keys and 128 for addresses are in flight; later requests are queued. A Redis at its `maxmemory`
 * continues to count, with the default policy `noeviction`.
 *
 * Each caller has a bucket of its own. Client addresses share 65,536 buckets by their hash, an IPv6 address by the hash
 * of its /48. They need at most 20 MiB of `maxmemory`, in addition to the keys.
 *
 * @throws {TypeError} An option is invalid or unknown; the message names it. `consume` and `peek` throw a `RangeError`
 * for limits that cannot be counted exactly.
 * @example
 * import { createRedisLimiter, redisClient } from 'pet-adoption-service/redis'
 * import { createClient } from 'redis'
 *
 * const client = createClient({ url: 'redis://127.0.0.1:6379', disableOfflineQueue: true })
 * client.on('error', console.error)
 * await client.connect()
 * const limiter = createRedisLimiter({ client: redisClient(client), onFault: console.error })
 */
export function createRedisLimiter(options: RedisLimiterOptions): RateLimiter {
  checkOptions({ ...options, client: options?.client ?? null }, optionRules)
  const { client, onUnavailable = 'local', timeoutMs = 100, prefix = 'pet-adoption:' } = options
  const { clock = Date.now, onRecover } = options
  const policy = readBanPolicy(options.ban)
  // It checks `clock` and `ban`.
  const local = createMemoryLimiter({ clock, ban: policy ?? false })
  const failureListeners: ((cause: unknown) => void)[] = []
  const { onFault = (cause) => failureListeners.forEach((listener) => void listener(cause)) } = options
  const callScript = createScriptCall(client, prefix, policy, options.clock)
  /** Time of the last failure; undefined while Redis works. */
  let failedAt: number | undefined

  function failed(error: unknown): void {
    if (failedAt === undefined) onFault(error)
    failedAt = clock()
  }

  function succeeded(): void {
    if (failedAt === undefined || isWithin(clock(), failedAt, recoveryMs)) return
    if (ofKeys.breaker.isOpen || ofAddresses.breaker.isOpen) return
    failedAt = undefined
    onRecover?.()
  }

  function createLimiterOfKind(): RateLimiter & { readonly breaker: CircuitBreaker } {
    const rejections = new Rejections()
    /** The numbers of the keys that were peeked, by the last call for each. */
    const peeked = new ExpiringMap<CachedNumbers>(maxShown)

    async function callRedis(key: string, limits: readonly Limit[], cost: 0 | 1): Promise<Decision> {
      const since = clock()
      const earlier = cost === 1 ? rejections.takeEarlier(key, since) : undefined
      const result = await callScript(key, limits, cost, earlier)
      if (cost === 1) rejections.record(key, limits, result, since)
      return result.decision
    }

    const breaker = createCircuitBreaker({
      timeoutMs,
      maxPending,
      maxInFlight: maxCalls,
      toError: (problem) => new Error(`Redis ${problem}`),
      isFailure: () => true,
    })
    const guardedCall = breaker.wrap((key: string, limits: readonly Limit[], cost: 0 | 1) => {
      // Another request may have been rejected while this one was queued.
      const repeated = cost === 1 ? rejections.repeat(key, limits, clock()) : undefined
      return repeated ?? callRedis(key, limits, cost)
    })

    /** A `cost` of 1 charges a request; 0 peeks. */
    async function decide(key: string, limits: readonly Limit[], cost: 0 | 1): Promise<Decision> {
      try {
        const decision = await guardedCall(key, limits, cost)
        succeeded()
        return decision
      } catch (cause) {
        failed(cause)
        return decideWithoutRedis(key, limits, cost, cause)
      }
    }

    function decideWithoutRedis(
      key: string,
      limits: readonly Limit[],
      cost: 0 | 1,
      cause: unknown,
    ): Decision {
      if (onUnavailable === 'closed') throw new LimiterUnavailable('Redis does not count', { cause })
      const now = clock()
      if (onUnavailable === 'open') return peekAccount(createAccount(limits, now), limits, now)
      if (cost === 0) return local.peek(key, limits)
      return rejections.find(key, limits, now) ?? local.consume(key, limits)
    }

    /**
     * Updates the cached numbers of a peek after a decision. A rejection charges nothing, so the numbers stay, unless
     * they are of other limits or nothing remains: the decision of several limits shows the longest wait, while a peek
     * shows the limit with the fewest requests remaining.
     */
    function updatePeeked(key: string, limits: readonly Limit[], decision: Decision): void {
      const known = peeked.get(key)
      const isOther = !known || !areSame(known.limits, limits)
      const isSpent = known && 'remaining' in known.numbers && known.numbers.remaining === 0
      if (decision.allowed || decision.banned || !(isOther || isSpent))
        show(key, { since: clock(), limits, numbers: { ...decision, allowed: true, waitMs: 0 } })
      else if (isOther) peeked.delete(key)
    }

    function show(key: string, shown: CachedNumbers): void {
      peeked.set(key, shown, shown.since, shown.since + shownMs)
    }

    return {
      breaker,
      async consume(key, limits) {
        checkLimits(limits)
        const decision = rejections.repeat(key, limits, clock()) ?? (await decide(key, limits, 1))
        if (peeked.get(key)) updatePeeked(key, limits, decision)
        return decision
      },
      peek(key, limits) {
        checkLimits(limits)
        const now = clock()
        const known = peeked.get(key)
        if (known && areSame(known.limits, limits) && isWithin(now, known.since, shownMs))
          return known.numbers
        const numbers = decide(key, limits, 0)
        const shown: CachedNumbers = { since: now, limits, numbers }
        show(key, shown)
        numbers.then(
          (decision) => (shown.numbers = decision),
          () => peeked.delete(key),
        )
        return numbers
      },
    }
  }

  const ofKeys = createLimiterOfKind()
  /** Separate, so that anonymous clients neither delay callers nor evict their rejections. */
  const ofAddresses = createLimiterOfKind()
  const selectLimiter = (key: string) => (isAddress(key) ? ofAddresses : ofKeys)
  return {
    consume: (key, limits) => selectLimiter(key).consume(key, limits),
    peek: (key, limits) => selectLimiter(key).peek(key, limits),
    onFailure(listener) {
      failureListeners.push(listener)
    },
  }
}

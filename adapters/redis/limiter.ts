import {
  type BanPolicy,
  createMemoryLimiter,
  type Decision,
  type Limit,
  LimiterUnavailableError,
  type RateLimiter,
} from '../../core/index.ts'
import { anyValueRule, checkOptions, functionRule, type OptionRule, stringRule } from '../../core/internal.ts'
import { checkLimits, createAccount, peekAccount, readBanPolicy } from '../../core/limiter.ts'
import { type CircuitBreaker, createCircuitBreaker } from '../backend/index.ts'
import type { RedisClient } from './client.ts'
import { DecisionCache } from './decision-cache.ts'
import { type FailureMode, failureModes } from './failure-mode.ts'
import { createScriptCall, isAddressKey } from './script-call.ts'

/** Options for {@link createRedisLimiter}. Only `client` is required. */
export interface RedisLimiterOptions {
  /** The connection to Redis, created by {@link redisClient}. */
  readonly client: RedisClient
  /**
   * How requests are decided while Redis is unavailable.
   *
   * @default `local`
   */
  readonly failureMode?: FailureMode
  /**
   * Maximum time a request waits for Redis, in milliseconds. Must be above 0. A response that arrives while the event
   * loop is blocked is not late. Set the driver's timeouts higher, because they include such pauses.
   *
   * @default 100
   */
  readonly timeoutMs?: number
  /**
   * Prefix for all keys in Redis.
   *
   * @default `pet-adoption:`
   */
  readonly prefix?: string
  /**
   * When and how long to ban a caller whose requests keep being rejected. Omitted members have their defaults, and
   * `false` turns bans off. All processes must use the same policy.
   */
  readonly ban?: Partial<BanPolicy> | false
  /**
   * Returns the current time in milliseconds since the epoch. By default, Redis decides by its own clock, which all
   * processes share, and `Date.now` is used while Redis is unavailable.
   */
  readonly clock?: () => number
  /**
   * Called when an outage begins, and again when its cause changes. Without it, errors go to the service's
   * `onError`.
   */
  readonly onFault?: (error: unknown) => void
  /** Called when Redis has recovered: a call succeeded 1.5 s or more after the last error. */
  readonly onRecover?: () => void
}

/** Rules for the options that {@link createRedisLimiter} and `openRedis` share. */
export const sharedOptionRules: Readonly<
  Record<'failureMode' | 'timeoutMs' | 'prefix' | 'ban' | 'clock', OptionRule>
> = {
  failureMode: [(mode) => failureModes.some((known) => known === mode), `one of ${failureModes.join(', ')}`],
  timeoutMs: [(ms) => typeof ms === 'number' && ms > 0 && ms < Infinity, 'a number above 0'],
  prefix: stringRule,
  ban: anyValueRule, // `readBanPolicy` and the memory limiter check these options
  clock: anyValueRule,
}

const optionRules: Readonly<Record<keyof RedisLimiterOptions, OptionRule>> = {
  ...sharedOptionRules,
  client: [
    (client) => functionRule[0](Object(client).send),
    'an object with send(args, key), such as the result of redisClient',
  ],
  onFault: functionRule,
  onRecover: functionRule,
}

/**
 * Maximum number of calls in flight, and maximum number of pending calls. Keys and client addresses have separate
 * maximums.
 */
const [maxInFlight, maxPending] = [128, 10_000]
/**
 * Minimum time without an error until Redis counts as recovered, in milliseconds. Longer than the time between two
 * probes.
 */
const minRecoveryMs = 1_500

/**
 * Creates a rate limiter that stores its counts in Redis or Valkey. Any number of processes can share the limits.
 *
 * Each request runs one script on one key, which also works in a cluster. A key expires when its account has no effect
 * any longer. A ban is cached, so each process calls Redis only once for a banned key. `peek` calls Redis at most once
 * per second and key. In between, it returns the values of the process's last decision, without the requests that other
 * processes have charged since.
 *
 * While Redis is unavailable, `failureMode` decides. A call fails after `timeoutMs`. After five consecutive failures,
 * calls fail immediately and one call per second tests Redis. If one server of a cluster hangs, only the requests for
 * its keys wait. Errors go to `onFault`, or to the service's `onError` without it. The limiter only has a timer while
 * calls are in flight.
 *
 * At most 128 calls for keys and 128 calls for client addresses are in flight. Further calls are queued. When Redis has
 * reached its `maxmemory`, it continues to count if its policy is `noeviction`, the default.
 *
 * Each caller has a separate bucket. Client addresses share 65,536 buckets by their hash. For IPv6, this is the hash of
 * the /48 network. These buckets take at most 20 MiB of `maxmemory`.
 *
 * @throws {TypeError} If an option is invalid or unknown. `consume` and `peek` throw a `RangeError` for limits that
 * cannot be counted exactly.
 *
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
  return createSharedLimiter(options)
}

/** A limiter that `openRedis` can check. */
export interface SharedLimiter extends Required<RateLimiter> {
  /** Whether Redis is unavailable. */
  readonly isFailing: boolean
  /** Calls Redis for a test key, and rejects if the call fails. A key that begins with `address:` is not charged. */
  probe(key: string): Promise<unknown>
}

/** Creates the limiter for {@link createRedisLimiter} and `openRedis`. */
export function createSharedLimiter(options: RedisLimiterOptions): SharedLimiter {
  checkOptions({ ...options, client: options?.client ?? null }, optionRules)
  const { client, failureMode = 'local', timeoutMs = 100, prefix = 'pet-adoption:' } = options
  const { clock = Date.now, onRecover } = options
  const policy = readBanPolicy(options.ban)
  // The local limiter counts requests during an outage. It also validates `clock` and `ban`.
  const localLimiter = createMemoryLimiter({ clock, ban: policy ?? false })
  const failureListeners: ((cause: unknown) => void)[] = []
  const { onFault = (cause) => failureListeners.forEach((listener) => void listener(cause)) } = options
  const callScript = createScriptCall(client, prefix, policy, options.clock)
  /** When the latest error occurred, or `undefined` while Redis works. */
  let failedAt: number | undefined
  /** Latest error passed to `onFault`, or `undefined` while Redis works. */
  let lastReported: unknown

  function reportNew(cause: unknown): void {
    if (String(lastReported) === String(cause)) return
    lastReported = cause
    onFault(cause)
  }

  function recordFailure(cause: unknown): void {
    if (failedAt === undefined) reportNew(cause)
    failedAt = clock()
  }

  function recordSuccess(): void {
    if (failedAt === undefined || Math.abs(clock() - failedAt) < minRecoveryMs) return
    if (keyCalls.breaker.isOpen || addressCalls.breaker.isOpen) return
    failedAt = undefined
    lastReported = undefined
    onRecover?.()
  }

  function decideWithoutRedis(key: string, limits: readonly Limit[], cost: 0 | 1, cause: unknown): Decision {
    if (failureMode === 'closed') throw new LimiterUnavailableError('Redis is unavailable', { cause })
    const now = clock()
    if (failureMode === 'open') return peekAccount(createAccount(limits, now), limits, now)
    return cost === 0 ? localLimiter.peek(key, limits) : localLimiter.consume(key, limits)
  }

  /** Creates the Redis calls for keys or for client addresses. `cost` is 1 to charge a request, or 0 to only read. */
  function createRedisCalls() {
    const cache = new DecisionCache(clock)
    const breaker: CircuitBreaker = createCircuitBreaker({
      timeoutMs,
      maxPending,
      maxInFlight,
      toError: (problem) => new Error(`Redis ${problem}`),
      isFailure: () => true,
      onFailure: reportNew,
    })
    const callRedis = breaker.wrap(async (key: string, limits: readonly Limit[], cost: 0 | 1) => {
      const ban = cost === 1 && cache.findBan(key, limits) // the key may have been banned while the call was queued
      if (ban) return ban
      const calledAt = clock()
      const decision = await callScript(key, limits, cost)
      if (cost === 1 && decision.banned) cache.storeBan(key, decision, calledAt)
      return decision
    })

    /** Makes a call and records whether Redis works. Rejects if the circuit is open. */
    async function call(key: string, limits: readonly Limit[], cost: 0 | 1): Promise<Decision> {
      try {
        const decision = await callRedis(key, limits, cost)
        recordSuccess()
        return decision
      } catch (cause) {
        recordFailure(cause)
        throw cause
      }
    }

    const decide = (key: string, limits: readonly Limit[], cost: 0 | 1) =>
      call(key, limits, cost).catch((cause) => decideWithoutRedis(key, limits, cost, cause))
    return { breaker, cache, call, decide }
  }

  const keyCalls = createRedisCalls()
  /**
   * Calls for client addresses are separate, so that anonymous clients cannot delay callers or evict their bans from
   * the cache.
   */
  const addressCalls = createRedisCalls()
  const selectCalls = (key: string) => (isAddressKey(key) ? addressCalls : keyCalls)

  return {
    async consume(key, limits) {
      checkLimits(limits)
      const { cache, decide } = selectCalls(key)
      const decision = cache.findBan(key, limits) ?? (await decide(key, limits, 1))
      cache.updatePeekedDecision(key, limits, decision)
      return decision
    },
    peek(key, limits) {
      checkLimits(limits)
      const { cache, decide } = selectCalls(key)
      const cached = cache.findPeekedDecision(key, limits)
      if (cached) return cached
      const numbers = decide(key, limits, 0)
      cache.storePeekedDecision(key, limits, numbers)
      return numbers
    },
    onFailure(listener) {
      if (options.onFault) return
      failureListeners.push(listener)
      if (lastReported !== undefined) listener(lastReported)
    },
    get isFailing() {
      return failedAt !== undefined
    },
    probe: (key) => selectCalls(key).call(key, probeLimits, isAddressKey(key) ? 0 : 1),
  }
}

/** Limits for health checks, which never reach them. */
const probeLimits: readonly Limit[] = [{ requests: 1_000_000, windowMs: 60_000 }]

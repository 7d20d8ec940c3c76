import {
  type BanPolicy,
  createMemoryLimiter,
  type Decision,
  type Limit,
  LimiterUnavailable,
  type RateLimiter,
} from '../../core/index.ts'
import {
  aFunction,
  anyValue,
  chain,
  checkOptions,
  ExpiringMap,
  type OptionRule,
} from '../../core/internal.ts'
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
 * How a request is decided while Redis fails. `local`: by this process alone, so that each process admits a whole
 * limit. `open`: it is admitted and not counted. `closed`: by a `LimiterUnavailable`, which becomes a 503.
 */
export type Unavailability = 'local' | 'open' | 'closed'

/** How `createRedisLimiter` is set up. Only `client` has no default. */
export interface RedisLimiterOptions {
  /** The result of `redisClient`. */
  readonly client: RedisClient
  /** How requests are decided while Redis fails; `local` by default. */
  readonly onUnavailable?: Unavailability
  /**
   * How long a request waits for Redis, in milliseconds: a number above 0; 100 by default. The time passes in ten turns
   * of the event loop, so a pause of this process does not count as silence of Redis. In a process whose turns are
   * longer than a tenth of this, a request may wait longer, and at most eleven turns. Give the driver no shorter
   * timeouts of its own: those count pauses.
   */
  readonly timeoutMs?: number
  /** The prefix of the keys in Redis; `pet-adoption:` by default. */
  readonly prefix?: string
  /**
   * When rejections become a ban: the parts left out are the default's. `false` for no bans. Must be the same in all
   * processes.
   */
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

/** The most calls of Redis, for keys and for addresses, that run at once, and that wait or have not ended. */
const [maxCalls, maxPending] = [128, 10_000]
/** How long Redis must work to have recovered, in milliseconds. */
const recoveryMs = 1_000
/** How long the numbers of a key are shown before Redis is asked for them again, in milliseconds. */
const shownMs = 1_000
/** Number of keys whose numbers are stored, at least; 4 to 8 MB. */
const maxShown = 10_000

/** The numbers of a key: those that Redis returned at `since`, in ms since the epoch, or will return. */
interface Shown {
  readonly since: number
  readonly limits: readonly Limit[]
  numbers: Decision | Promise<Decision>
}

/**
 * Creates a limiter that stores its counts in Redis or Valkey, so that any number of processes admit together what one
 * would. A request costs one call of a script on one key, which works in a cluster too. A key expires when it is the
 * same as none.
 *
 * This process itself rejects a key again until the wait of its rejection is over. About once a second it calls Redis
 * again and hands on how often it did, so a ban holds in every process within about a second, whichever process made
 * it.
 *
 * `peek` calls Redis at most once a second for each key, and otherwise returns what this process knows: the numbers
 * after its last decision, without what other processes have charged since. So requests that are not charged cost Redis
 * little.
 *
 * While Redis fails, requests are decided as `onUnavailable` determines: after `timeoutMs`, and after five failures in
 * a row at once. Then one request a second tries Redis. A server of a cluster that is silent makes the requests for its
 * keys wait. Failures are reported to `onFault` or, without it, to the `onError` of the service. The only timer is that
 * of the calls that are under way.
 *
 * At most 128 calls for keys are under way at once, and as many for addresses; later requests wait for their turn. A
 * Redis at its `maxmemory` (with `noeviction`, its default policy) goes on counting.
 *
 * Each caller with a key has a bucket of its own. Addresses of anonymous clients share 65,536 by their hash, an IPv6
 * address by that of its /48: they need at most 20 MiB. Give Redis that much more `maxmemory` than keys need.
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
  // Checks its options, too.
  const local = createMemoryLimiter({ clock, ban: policy ?? false })
  const failureListeners: ((cause: unknown) => void)[] = []
  const { onFault = (cause) => failureListeners.forEach((listener) => void listener(cause)) } = options
  const callScript = createScriptCall(client, prefix, policy, options.clock)
  /** When a call last failed; undefined while Redis works. */
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
    const peeked = new ExpiringMap<Shown>(maxShown)

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
    const callInTurn = breaker.wrap((key: string, limits: readonly Limit[], cost: 0 | 1) => {
      // Another request may have been rejected while this one waited for its turn.
      const repeated = cost === 1 ? rejections.repeat(key, limits, clock()) : undefined
      return repeated ?? callRedis(key, limits, cost)
    })

    /** A `cost` of 1 charges a request; 0 peeks. */
    async function decide(key: string, limits: readonly Limit[], cost: 0 | 1): Promise<Decision> {
      try {
        const decision = await callInTurn(key, limits, cost)
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
      return rejections.standing(key, limits, now) ?? local.consume(key, limits)
    }

    /** A rejection charges nothing. It shows the longest wait, and a peek the fewest remaining. */
    function updatePeeked(key: string, limits: readonly Limit[], decision: Decision): void {
      const known = peeked.get(key)
      const isOther = !known || !areSame(known.limits, limits)
      const isSpent = known && 'remaining' in known.numbers && known.numbers.remaining === 0
      if (decision.allowed || decision.banned || !(isOther || isSpent))
        show(key, { since: clock(), limits, numbers: { ...decision, allowed: true, waitMs: 0 } })
      else if (isOther) peeked.delete(key)
    }

    function show(key: string, shown: Shown): void {
      peeked.set(key, shown, shown.since, shown.since + shownMs)
    }

    return {
      breaker,
      consume(key, limits) {
        checkLimits(limits)
        const decision = rejections.repeat(key, limits, clock()) ?? decide(key, limits, 1)
        if (!peeked.get(key)) return decision
        return chain(decision, (decided) => {
          updatePeeked(key, limits, decided)
          return decided
        })
      },
      peek(key, limits) {
        checkLimits(limits)
        const now = clock()
        const known = peeked.get(key)
        if (known && areSame(known.limits, limits) && isWithin(now, known.since, shownMs))
          return known.numbers
        const numbers = decide(key, limits, 0)
        const shown: Shown = { since: now, limits, numbers }
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
  /** Apart, so that callers with a key neither wait behind anonymous clients nor are forgotten for them. */
  const ofAddresses = createLimiterOfKind()
  const limiterOf = (key: string) => (isAddress(key) ? ofAddresses : ofKeys)
  return {
    consume: (key, limits) => limiterOf(key).consume(key, limits),
    peek: (key, limits) => limiterOf(key).peek(key, limits),
    onFailure(listener) {
      failureListeners.push(listener)
    },
  }
}

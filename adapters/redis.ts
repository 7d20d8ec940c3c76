import {
  type BanPolicy,
  createMemoryLimiter,
  type Decision,
  type Limit,
  LimiterUnavailable,
  type RateLimiter,
} from '../core/index.ts'
import { checkLimits, createAccount, peekAccount, readBanPolicy } from '../core/limiter.ts'
import { createAsk, isOutOfMemory } from './redis/ask.ts'
import { type BreakerEvents, createBreaker } from './redis/breaker.ts'
import type { RedisClient } from './redis/client.ts'
import { createGate } from './redis/gate.ts'
import { isAddress } from './redis/places.ts'
import { createRefusals } from './redis/rejections.ts'

export { ioredisClient, nodeRedisClient, nodeRedisCluster, type RedisClient } from './redis/client.ts'

/**
 * What happens to a request while Redis does not answer: `local`: this process decides alone, so that each process
 * admits a whole limit; `open`: it is admitted and not counted; `closed`: `LimiterUnavailable`, a 503.
 */
export type Unavailability = 'local' | 'open' | 'closed'

/** How `createRedisLimiter` is set up. Only `client` has no default. */
export interface RedisLimiterOptions extends BreakerEvents {
  /** See `nodeRedisClient`, `nodeRedisCluster` and `ioredisClient`. */
  readonly client: RedisClient
  /** `local` by default. */
  readonly onUnavailable?: Unavailability
  /**
   * How long a call of Redis may take, in ms; 100 by default. It passes in ten turns of the event loop, so that a pause of
   * this process does not count as silence of Redis. A call therefore takes longer in a process whose turns are longer
   * than a tenth of this, and never more than eleven turns. Calls that fail together are one failure; after three failures
   * in a row, requests do not wait for Redis. Give the driver no shorter timeouts of its own: those count pauses.
   */
  readonly timeoutMs?: number
  /**
   * How many addresses of anonymous clients Redis stores; 100,000 by default, a whole number from 0, rounded up to a
   * multiple of 16. An address takes about 90 bytes, and at most 650 once it has been rejected often (with the default
   * ban): 9 MiB for all, and never more than 64 MiB. Give Redis so much more `maxmemory` than keys need.
   *
   * Addresses lie in strings with room for 16 each, by their hash. An address that finds its string full shares one
   * bucket, which is never banned, with the others that do: one in ten when 100,000 are stored, one in a thousand at half
   * of that. Callers with a key always have a bucket of their own. The same in all processes.
   */
  readonly maxAddresses?: number
  /** What the names of the keys in Redis start with; `pet-adoption:` by default. */
  readonly prefix?: string
  /** When refusals become a ban: the parts left out are the default's. `false` for no bans. The same in all processes. */
  readonly ban?: Partial<BanPolicy> | false
  /**
   * Milliseconds since the epoch, for tests. By default Redis decides by its own clock, the same for all processes, and
   * `Date.now` tells how long something has been known here.
   */
  readonly clock?: () => number
}

/** No refusals to hand on. */
const nothing = { refusedBefore: 0, agoMs: 0 }

/** Every way to go on without Redis. */
export const unavailabilities: readonly Unavailability[] = ['local', 'open', 'closed']

/**
 * Keeps the limits in Redis or Valkey, so that any number of processes admit together what one would. A request costs
 * one call of a script on one key, which works in a cluster too; keys expire when they are the same as none.
 *
 * A key that has been refused is refused here, without a call, until its wait ends; about once a second Redis is asked
 * again and told how often, so that a ban holds everywhere within about a second, whoever made it.
 *
 * While Redis does not answer, requests are decided as `onUnavailable` says, at once after the first few; it is tried
 * once a second, beside a request, and used again when it answers. The only timer is that of the calls under way.
 *
 * At most 128 calls for keys are under way at once, and as many for addresses; later requests wait for their turn. While
 * Redis is at its `maxmemory` (with the policy `noeviction`, its default), callers with a key are counted all the same,
 * and addresses are decided as `onUnavailable` says.
 *
 * Throws a `TypeError` for an unusable option; `consume` throws a `RangeError` for limits that cannot be counted exactly.
 */
export function createRedisLimiter(options: RedisLimiterOptions): RateLimiter {
  const { client, onUnavailable = 'local', timeoutMs = 100, prefix = 'pet-adoption:' } = options
  if (typeof client?.send !== 'function')
    throw new TypeError('options.client must have send(args, key): see nodeRedisClient and ioredisClient')
  if (!unavailabilities.includes(onUnavailable))
    throw new TypeError(`options.onUnavailable must be one of ${unavailabilities.join(', ')}`)
  if (!(timeoutMs > 0)) throw new TypeError('options.timeoutMs must be a number above 0')
  const { clock = Date.now, maxAddresses = 100_000, ban } = options
  const policy = readBanPolicy(ban)
  const local = createMemoryLimiter({ clock, maxAddresses, ban: policy ?? false })
  const ask = createAsk({ client, prefix, timeoutMs, maxAddresses, policy, clock: options.clock })
  const gateOfKeys = createGate()
  /** Apart, so that no caller with a key waits behind anonymous clients. */
  const gateOfAddresses = createGate()
  const breaker = createBreaker(options, 3)
  /** Of addresses alone: a Redis at its `maxmemory` stores no more of them. */
  const memoryBreaker = createBreaker(options, 1)
  const refusals = createRefusals()
  let fault: unknown

  const without: Record<Unavailability, (key: string, limits: readonly Limit[], cost: 0 | 1) => Decision> = {
    local(key, limits, cost) {
      if (cost === 0) return local.peek(key, limits)
      return refusals.standing(key, clock()) ?? local.consume(key, limits)
    },
    open(_, limits) {
      const now = clock()
      return peekAccount(createAccount(limits, now), limits, now)
    },
    closed() {
      throw new LimiterUnavailable('Redis does not answer', { cause: fault })
    },
  }

  async function consult(key: string, limits: readonly Limit[], cost: 0 | 1): Promise<Decision> {
    const since = clock()
    const call = breaker.begin()
    const storing = isAddress(key) ? memoryBreaker.begin() : undefined
    try {
      const handedOn = cost === 1 ? refusals.handOn(key, since) : nothing
      const answer = await ask({ key, limits, cost, ...handedOn })
      call.succeeded()
      if (cost === 1 && answer.decision.allowed) storing?.succeeded()
      if (cost === 1) refusals.note(key, answer, since)
      return answer.decision
    } catch (error) {
      fault = error
      if (isOutOfMemory(error)) {
        call.succeeded()
        storing?.failed(error, clock())
      } else {
        call.failed(error, clock())
      }
      return without[onUnavailable](key, limits, cost)
    }
  }

  /** Only looks, since the request that it runs beside is decided without Redis. */
  function probe(key: string, limits: readonly Limit[]): void {
    const call = breaker.begin()
    ask({ key, limits, cost: 0, ...nothing }).then(call.succeeded, (error) => call.failed(error, clock()))
  }

  /** Undefined where Redis is to be asked. */
  function decideHere(key: string, limits: readonly Limit[], cost: 0 | 1): Decision | undefined {
    const now = clock()
    const repeated = cost === 1 ? refusals.repeat(key, now) : undefined
    if (repeated) return repeated
    if (breaker.isOpen) {
      if (breaker.wantsProbe(now)) probe(key, limits)
      return without[onUnavailable](key, limits, cost)
    }
    const isStored = !isAddress(key) || !memoryBreaker.isOpen || memoryBreaker.wantsProbe(now)
    return isStored ? undefined : without[onUnavailable](key, limits, cost)
  }

  async function consultInTurn(key: string, limits: readonly Limit[], cost: 0 | 1): Promise<Decision> {
    const gate = isAddress(key) ? gateOfAddresses : gateOfKeys
    const turn = gate.enter()
    try {
      if (turn) await turn
      return (turn && decideHere(key, limits, cost)) ?? (await consult(key, limits, cost))
    } finally {
      gate.leave()
    }
  }

  /** A `cost` of 1 charges a request; 0 peeks. */
  function decideAt(cost: 0 | 1): RateLimiter['consume'] {
    return (key, limits) => {
      checkLimits(limits)
      return decideHere(key, limits, cost) ?? consultInTurn(key, limits, cost)
    }
  }

  return { consume: decideAt(1), peek: decideAt(0) }
}

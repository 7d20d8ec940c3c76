import {
  type BanPolicy,
  createMemoryLimiter,
  type Decision,
  type Limit,
  LimiterUnavailable,
  type RateLimiter,
} from '../core/index.ts'
import { aFunction, anyValue, chain, checkOptions, type OptionRule } from '../core/internal.ts'
import { checkLimits, createAccount, peekAccount, readBanPolicy } from '../core/limiter.ts'
import { isWithin } from './breaker/breaker.ts'
import type { RedisClient } from './redis/client.ts'
import { createRejections } from './redis/rejections.ts'
import { createPlaces, createScriptCall, isAddress } from './redis/script-call.ts'
import { createServers, type RedisEvents, type Server } from './redis/servers.ts'

export {
  type Ioredis,
  ioredisClient,
  type NodeRedis,
  type NodeRedisCluster,
  nodeRedisClient,
  nodeRedisCluster,
  type RedisClient,
} from './redis/client.ts'
export type { FailingPart } from './redis/servers.ts'

/**
 * How a request is decided while Redis fails. `local`: by this process alone, so that each process admits a whole limit.
 * `open`: it is admitted and not counted. `closed`: by a `LimiterUnavailable`, which becomes a 503.
 */
export type Unavailability = 'local' | 'open' | 'closed'

/** How `createRedisLimiter` is set up. Only `client` has no default. */
export interface RedisLimiterOptions extends RedisEvents {
  /** The result of `nodeRedisClient`, `nodeRedisCluster` or `ioredisClient`. */
  readonly client: RedisClient
  /** How requests are decided while Redis fails; `local` by default. */
  readonly onUnavailable?: Unavailability
  /**
   * How long a call of Redis may take, in milliseconds: a number above 0; 100 by default. The time passes in ten turns of
   * the event loop, so a pause of this process does not count as silence of Redis. In a process whose turns are longer than
   * a tenth of this, a call may take longer, and at most eleven turns. Calls that fail together are one failure. After
   * three failures in a row, requests do not wait for Redis. Give the driver no shorter timeouts of its own: those count
   * pauses.
   */
  readonly timeoutMs?: number
  /**
   * How many addresses of anonymous clients Redis stores: a whole number from 0, rounded up to a multiple of 16; 100,000
   * by default. An address needs about 90 bytes, and at most 650 once it has been rejected often (with the default ban):
   * 9 MiB for all, and never more than 64 MiB. Give Redis that much more `maxmemory` than keys need.
   *
   * Addresses lie in strings with room for 16 each, by their hash. An address that finds its string full shares one
   * bucket, which is never banned, with the others that do: one in ten when 100,000 are stored, one in a thousand at half
   * of that. A caller with a key always has a bucket of its own. Must be the same in all processes.
   */
  readonly maxAddresses?: number
  /** The prefix of the keys in Redis; `pet-adoption:` by default. */
  readonly prefix?: string
  /**
   * When rejections become a ban: the parts left out are the default's. `false` for no bans. Must be the same in all
   * processes.
   */
  readonly ban?: Partial<BanPolicy> | false
  /**
   * Returns the milliseconds since the epoch, for tests. By default Redis decides by its own clock, which is the same for
   * all processes, and `Date.now` measures how long this process has known something.
   */
  readonly clock?: () => number
}

/** Every way to decide without Redis. */
export const unavailabilities: readonly Unavailability[] = ['local', 'open', 'closed']

const optionRules: Readonly<Record<keyof RedisLimiterOptions, OptionRule>> = {
  client: [
    (client) => aFunction[0](Object(client).send),
    'an object with send(args, key): see nodeRedisClient and ioredisClient',
  ],
  onUnavailable: [
    (mode) => unavailabilities.some((known) => known === mode),
    `one of ${unavailabilities.join(', ')}`,
  ],
  timeoutMs: [(ms) => typeof ms === 'number' && ms > 0 && ms < Infinity, 'a number above 0'],
  prefix: [(prefix) => typeof prefix === 'string', 'a string'],
  onFault: aFunction,
  onRecover: aFunction,
  maxAddresses: anyValue, // the limiter of this process checks the others
  ban: anyValue,
  clock: anyValue,
}

/** How long the numbers of a key are shown before Redis is asked for them again, in milliseconds. */
const shownMs = 1_000
/** How many keys' numbers are stored, in about 4 MB. */
const maxShown = 10_000

/** The numbers of a key: those that Redis returned at `since`, in ms since the epoch, or will return. */
interface Shown {
  readonly since: number
  readonly limits: readonly Limit[]
  readonly numbers: Decision | Promise<Decision>
}

/**
 * Creates a limiter that stores its counts in Redis or Valkey, so that any number of processes admit together what one
 * would. A request costs one call of a script on one key, which works in a cluster too. A key expires when it is the same
 * as none.
 *
 * This process itself rejects a key again until the wait of its rejection is over. About once a second it calls Redis again
 * and hands on how often it did, so a ban holds in every process within about a second, whichever process made it.
 *
 * `peek` calls Redis at most once a second for each key, and otherwise returns what this process knows: the numbers after
 * its last decision, without what other processes have charged since. So requests that are not charged cost Redis little.
 *
 * While Redis fails, requests are decided as `onUnavailable` determines: the first few after `timeoutMs`, the others at once.
 * About once a second Redis is tried beside a request, and it is used again when it works. Failures are reported to
 * `onFault` or, without it, to the `onError` of the service. The only timer is that of the calls that are under way.
 *
 * At most 128 calls for keys are under way at once, and as many for addresses; later requests wait for their turn. In a
 * cluster, each server has calls and failures of its own, so that a silent one delays no call of the others. While
 * Redis is at its `maxmemory` (with `noeviction`, its default policy), it still counts callers with a key, and addresses
 * are decided as `onUnavailable` determines.
 *
 * @throws {TypeError} An option is invalid or unknown; the message names it. `consume` and `peek` throw a `RangeError` for limits that cannot
 * be counted exactly.
 * @example
 * import { createRedisLimiter, nodeRedisClient } from 'pet-adoption-service/redis'
 * import { createClient } from 'redis'
 *
 * const client = createClient({ url: 'redis://127.0.0.1:6379', disableOfflineQueue: true })
 * client.on('error', console.error)
 * await client.connect()
 * const limiter = createRedisLimiter({ client: nodeRedisClient(client), onFault: console.error })
 */
export function createRedisLimiter(options: RedisLimiterOptions): RateLimiter {
  checkOptions({ ...options, client: options?.client ?? null }, optionRules)
  const { client, onUnavailable = 'local', timeoutMs = 100, prefix = 'pet-adoption:' } = options
  const { clock = Date.now, maxAddresses = 100_000, ban } = options
  const policy = readBanPolicy(ban)
  // Checks its options, too.
  const local = createMemoryLimiter({ clock, maxAddresses, ban: policy ?? false })
  const placeOf = createPlaces(maxAddresses)
  const failureListeners: ((cause: unknown) => void)[] = []
  const servers = createServers({
    callScript: createScriptCall({ client, prefix, timeoutMs, placeOf, policy, clock: options.clock }),
    shardOf: (key) => client.shardOf?.(prefix + placeOf(key).key) ?? 0,
    clock,
    onFault: options.onFault ?? ((cause) => failureListeners.forEach((listener) => void listener(cause))),
    onRecover: options.onRecover,
  })
  const rejections = createRejections()
  /** The numbers of the keys that were peeked, by the last call for each. */
  const peeked = new Map<string, Shown>()

  const withoutRedis: Record<
    Unavailability,
    (key: string, limits: readonly Limit[], cost: 0 | 1) => Decision
  > = {
    local(key, limits, cost) {
      if (cost === 0) return local.peek(key, limits)
      return rejections.standing(key, clock()) ?? local.consume(key, limits)
    },
    open(_, limits) {
      const now = clock()
      return peekAccount(createAccount(limits, now), limits, now)
    },
    closed() {
      throw new LimiterUnavailable('Redis does not count', { cause: servers.lastFailure })
    },
  }

  /** A `cost` of 1 charges a request; 0 peeks. */
  function decideAt(cost: 0 | 1): RateLimiter['consume'] {
    async function decideThere(server: Server, key: string, limits: readonly Limit[]): Promise<Decision> {
      const since = clock()
      const earlier = cost === 1 ? rejections.takeEarlier(key, since) : undefined
      try {
        const result = await servers.call(server, { key, limits, cost, earlier })
        if (cost === 1) rejections.record(key, result, since)
        return result.decision
      } catch {
        return withoutRedis[onUnavailable](key, limits, cost)
      }
    }

    /** Returns undefined where Redis must be called. */
    function decideHere(server: Server, key: string, limits: readonly Limit[]): Decision | undefined {
      const repeated = cost === 1 ? rejections.repeat(key, clock()) : undefined
      if (repeated) return repeated
      return servers.isAway(server, key) ? withoutRedis[onUnavailable](key, limits, cost) : undefined
    }

    async function decideInTurn(server: Server, key: string, limits: readonly Limit[]): Promise<Decision> {
      const gate = isAddress(key) ? server.gateOfAddresses : server.gateOfKeys
      const turn = gate.enter()
      try {
        if (turn) await turn
        return (turn && decideHere(server, key, limits)) ?? (await decideThere(server, key, limits))
      } finally {
        gate.leave()
      }
    }

    return (key, limits) => {
      checkLimits(limits)
      const server = servers.of(key)
      return decideHere(server, key, limits) ?? decideInTurn(server, key, limits)
    }
  }
  const charge = decideAt(1)
  const peek = decideAt(0)

  function show(key: string, shown: Shown): void {
    const [oldest] = peeked.size >= maxShown ? peeked.keys() : []
    if (oldest !== undefined) peeked.delete(oldest)
    peeked.set(key, shown)
  }

  return {
    consume(key, limits) {
      const decision = charge(key, limits)
      if (!peeked.has(key)) return decision
      return chain(decision, (decided) => {
        show(key, { since: clock(), limits, numbers: { ...decided, allowed: true, waitMs: 0 } })
        return decided
      })
    },
    peek(key, limits) {
      const now = clock()
      const known = peeked.get(key)
      if (known?.limits === limits && isWithin(now, known.since, shownMs)) return known.numbers
      const numbers = peek(key, limits)
      show(key, { since: now, limits, numbers })
      if (numbers instanceof Promise) numbers.catch(() => peeked.delete(key))
      return numbers
    },
    onFailure(listener) {
      failureListeners.push(listener)
    },
  }
}
